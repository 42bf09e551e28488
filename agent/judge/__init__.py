"""The judge: a second model call that looks at a draft before it becomes an answer."""

from agent.judge.choosing import is_judged, judge_in_run, judging_names, make_judge
from agent.judge.model_judge import ModelJudge

__all__ = ["ModelJudge", "is_judged", "judge_in_run", "judging_names", "make_judge"]
