import { describe, expect, it } from 'vitest';
import { PUSH_MS } from '../craft/ease';
import { LAB_COUPS, labDeal } from '../lab/coups';
import { coupTimes } from '../timeline';
import { CameraMan } from './camera_man';

const SIZE = { width: 1280, height: 720 };
const FREE = { top: 10, bottom: 585 };
const START = 1_700_000_000_000;
const coup = coupTimes(labDeal(LAB_COUPS.banker, START));
const DURING = coup.cards[1]!.draw.at;

function man(): CameraMan {
  const made = new CameraMan();
  made.resize(SIZE, FREE);
  return made;
}
const depth = (one: CameraMan): number => one.camera.position.z;

describe('the camera on its way', () => {
  it('stands where a latecomer finds it, whoever watched', () => {
    const watched = man();
    for (let ms = -2000; ms <= coup.clear.at + 2000; ms += 33) {
      watched.frame(coup, ms, START + ms, false, false);
      const late = man();
      late.frame(coup, ms, START + ms, false, false);
      expect(watched.camera.position.distanceTo(late.camera.position)).toBeLessThan(1e-6);
    }
  });

  it('eases when it is called back in mid-deal, and arrives', () => {
    const one = man();
    one.frame(coup, DURING, START + DURING, false, false);
    const close = depth(one);
    let [last, ms] = [close, DURING];
    const steps: number[] = [];
    for (let passed = 16; passed <= PUSH_MS + 64; passed += 16) {
      ms = DURING + passed;
      one.frame(null, 0, START + ms, false, false);
      steps.push(depth(one) - last);
      last = depth(one);
    }
    expect(Math.max(...steps)).toBeLessThan(0.02);
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(-1e-9);
    const fresh = man();
    fresh.frame(null, 0, START, false, false);
    expect(last).toBeCloseTo(depth(fresh), 6);
    expect(last).toBeGreaterThan(close);
  });

  it('cuts with reduced motion, and after a time in which nobody watched', () => {
    for (const [pause, cut] of [[16, true], [60_000, false]] as const) {
      const [one, fresh] = [man(), man()];
      one.frame(coup, DURING, START, false, false);
      one.frame(null, 0, START + pause, false, cut);
      fresh.frame(null, 0, START, false, false);
      expect(depth(one)).toBeCloseTo(depth(fresh), 9);
    }
  });

  it('says when places on the screen are new, and only then', () => {
    const one = man();
    expect(one.frame(coup, DURING, START + DURING, false, false)).toBe(true);
    expect(one.frame(coup, DURING + 16, START + DURING + 16, false, false)).toBe(false);
    one.resize({ width: 390, height: 844 }, { top: 108, bottom: 558 });
    expect(one.frame(coup, DURING + 32, START + DURING + 32, false, false)).toBe(true);
    expect(one.frame(coup, coup.result.at + 100, START + DURING + 48, false, false)).toBe(true);
  });
});
