"""The Web API methods, one module for each family of names; `table.METHODS` lists them all."""
