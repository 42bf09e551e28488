"""Whether answers are judged, and by whom: from the settings to a judge, or to none."""

from __future__ import annotations

from dataclasses import replace

from agent.errors import SettingsInvalid
from agent.judge.model_judge import ModelJudge
from agent.models import is_language_model, make_model
from agent.models.taking_over import InOneRun, WithoutSecond, names_of
from agent.protocols import Judge, Model
from agent.settings import AgentSettings, JudgeMode


def is_judged(mode: JudgeMode, model_name: str) -> bool:
    """Return whether the answers of the model called `model_name` go before a judge.

    By itself a judge looks at what a language model wrote: the offline model computes its answers
    and leaves nothing to misread, and a script says what a test wants it to say.
    """
    return mode == "always" or (mode == "auto" and is_language_model(model_name))


def judge_in_run(judge: Judge | None, model: Model, in_run: Model) -> Judge | None:
    """Return the judge of one run, in which `in_run` stands for `model`.

    Who judges with the model that answers keeps to the one that answers in that run, where it can.
    """
    if not isinstance(judge, ModelJudge) or judge.model is not model:
        return judge
    if isinstance(in_run, InOneRun) and not all(map(is_language_model, names_of(model))):
        return replace(judge, model=WithoutSecond(in_run))
    return replace(judge, model=in_run)


def judging_names(judge: Judge) -> tuple[str, ...]:
    """Return the names of the models that may judge."""
    return names_of(judge.model) if isinstance(judge, ModelJudge) else (judge.name,)


def make_judge(settings: AgentSettings, model: Model) -> Judge | None:
    """Return the judge of what `model`, made from the same settings, answers; None for nobody.

    Raises `SettingsInvalid` where a judge is wanted and none can be made.
    """
    if not is_judged(settings.judge, settings.model_name):
        return None
    name = settings.judge_model or settings.model_name
    same = name == settings.model_name
    if name == "offline" or (same and not is_language_model(name)):
        raise SettingsInvalid(
            f"The model {name} cannot judge answers. Set DB_AGENT_JUDGE_MODEL to one that can, "
            "such as claude-sonnet-5, or set DB_AGENT_JUDGE=off."
        )
    if same:
        return ModelJudge(model)
    try:
        return ModelJudge(make_model(settings.model_copy(update={"model": name})))
    except SettingsInvalid as error:
        raise SettingsInvalid(f"DB_AGENT_JUDGE_MODEL: {error}") from error
