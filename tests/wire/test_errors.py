"""Every code has words, and every fact that the words want is a fact that the refusal gives."""

import re

from bigroad.table.errors import Refusal
from bigroad.wire.errors import WORDS, Fault

FACTS = {
    Refusal.UNKNOWN_AREA: {"area"},
    Refusal.STALE_COUP: {"coup"},
    Refusal.BELOW_MIN: {"area", "min_minor", "stake_minor"},
    Refusal.ABOVE_MAX: {"area", "max_minor", "stake_minor"},
    Refusal.BALANCE_TOO_LOW: {"balance_minor", "total_minor"},
    Refusal.LOSS_LIMIT: {"period", "limit_minor", "spent_minor", "left_minor", "stake_minor", "until_utc_ms"},
    Refusal.STAKE_LIMIT: {"period", "limit_minor", "spent_minor", "left_minor", "stake_minor", "until_utc_ms"},
    Refusal.ON_A_BREAK: {"until_utc_ms"},
    Refusal.SELF_EXCLUDED: {"until_utc_ms"},
    Fault.NOT_YET_READY: {"ready_utc_ms"},
    Fault.STANDS_ALREADY: {"until_utc_ms"},
    Fault.FRAME_TOO_LARGE: {"max_bytes"},
    Fault.HEADERS_TOO_LARGE: {"max_bytes"},
    Fault.BAD_MESSAGE: {"detail"},
    Fault.NAME_LENGTH: {"min", "max"},
    Fault.PASSWORD_LENGTH: {"min", "max"},
    Fault.TOO_MANY_TRIES: {"wait_s"},
}


def test_every_code_has_words_and_no_code_is_used_twice() -> None:
    assert set(WORDS) == {*Refusal, *Fault}
    assert not {code.value for code in Refusal} & {code.value for code in Fault}
    assert all(code.value == code.name for code in WORDS)


def test_words_want_only_facts_that_are_given() -> None:
    for code, words in WORDS.items():
        assert set(re.findall(r"{(\w+)}", words)) <= FACTS.get(code, set()), code
