"""What a real browser sends to its loudspeakers. Measured where the page's sound leaves it."""

from typing import Any

import pytest
from playwright.async_api import BrowserContext, expect

from tests.e2e.table_page import TablePage

pytestmark = pytest.mark.asyncio(loop_scope="session")

# Every audio context of the page plays through a meter; every sound that it starts is written down.
METER = """() => {
    window.contexts = [];
    window.started = [];
    const Real = window.AudioContext;
    window.AudioContext = class extends Real {
        constructor(options) {
            super(options);
            this.meter = super.createAnalyser();
            this.meter.fftSize = 8192;
            this.meter.connect(super.destination);
            window.contexts.push(this);
        }
        get destination() {
            return this.meter ?? super.destination;
        }
        createBufferSource() {
            const source = super.createBufferSource();
            const start = source.start.bind(source);
            source.start = (when = 0, ...more) => {
                const {state, currentTime} = this;
                window.started.push({state, late: currentTime - when, loop: source.loop});
                start(when, ...more);
            };
            return source;
        }
    };
    window.level = () => {
        const [context] = window.contexts;
        if (context === undefined) return 0;
        const samples = new Float32Array(context.meter.fftSize);
        context.meter.getFloatTimeDomainData(samples);
        return samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    };
}"""
# How loud it was at its loudest while a round was played, from its first card to its end.
LOUDEST = """async () => {
    let most = 0;
    const phase = () => document.querySelector('[role=status][aria-label="Phase"]').textContent;
    while (phase() !== 'Dealing') await new Promise(resolve => setTimeout(resolve, 20));
    window.started.length = 0;
    while (!['Next round', 'Place your bets'].includes(phase())) {
        most = Math.max(most, window.level());
        await new Promise(resolve => setTimeout(resolve, 20));
    }
    return {most, started: window.started.filter(one => !one.loop)};
}"""


async def with_meter(context: BrowserContext) -> None:
    await context.add_init_script(f"({METER})()")


async def test_a_round_is_heard_from_the_first_gesture_on_and_the_button_silences_it(
    server_at: Any, visitor: Any
) -> None:
    server = server_at(betting_ms=20_000, closing_ms=1_000, pace=0.7).start()
    context = await visitor()
    await with_meter(context)
    tab = await TablePage.open(context, server, quality="flat")
    await tab.betting_opens(least_s=12)
    assert await tab.page.evaluate("() => window.contexts.length") == 0, "nothing before the first gesture"

    await tab.stage(100, "Player")
    await tab.page.wait_for_function("() => window.contexts[0]?.state === 'running'")
    await tab.page.wait_for_function("() => window.level() > 0.001")
    heard = await tab.page.evaluate(LOUDEST)
    assert 0.01 < heard["most"] <= 1
    assert 8 <= len(heard["started"]) < 40, "cards, their turns, chips, a glass; none of them twice"
    assert all(one["state"] == "running" and one["late"] < 0.5 for one in heard["started"]), "nothing of long ago"
    assert await tab.page.evaluate("() => window.contexts.length") == 1

    await tab.button("Sound").click()
    await expect(tab.button("Sound")).to_have_attribute("aria-pressed", "false")
    await tab.page.wait_for_function("() => window.contexts[0].state === 'suspended'")
    await tab.page.reload()
    await tab.betting_opens(least_s=1)
    await tab.page.get_by_role("radio", name="Chip 500", exact=True).click()
    await expect(tab.button("Sound")).to_have_attribute("aria-pressed", "false")
    assert await tab.page.evaluate("() => window.contexts.length") == 0, "muted stays muted"
    await tab.button("Sound").click()
    await tab.page.wait_for_function("() => window.contexts[0]?.state === 'running' && window.level() > 0.001")
    assert tab.problems == []
