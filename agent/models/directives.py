"""What the loop wants next, in words, for the models that read words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.messages import Directive, Message, Observations, UserMessage
from agent.prompts import IN_EVERY_RUN, say_directive


def in_words(messages: Sequence[Message]) -> list[Message]:
    """Return the conversation with each directive at the end of the message before it.

    Where several people ask, each question begins with who does: "[Mia asks:] …".

    In a message of its own, straight behind the results of tools, a directive would teach a model
    that the person speaks after each call, and servers that want roles to take turns would refuse
    it.
    """
    said: list[Message] = []
    told = set(IN_EVERY_RUN)
    for message in messages:
        if not isinstance(message, Directive):
            said.append(_with_speaker(message))
            continue
        words, last = say_directive(message, told), said[-1] if said else None
        told.add(message.task)
        if isinstance(last, UserMessage):
            said[-1] = replace(last, text=f"{last.text}\n\n{words}")
        elif isinstance(last, Observations) and last.results:
            *others, newest = last.results
            newest = replace(newest, content=f"{newest.content}\n\n{words}")
            said[-1] = Observations((*others, newest))
        else:
            said.append(UserMessage(words))
    return said


def _with_speaker(message: Message) -> Message:
    if not isinstance(message, UserMessage) or not message.speaker:
        return message
    return replace(message, text=f"[{message.speaker} asks:] {message.text}", speaker="")
