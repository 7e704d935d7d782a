import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { LAB_COUPS, labDeal } from '../lab/coups';
import { CARD, CARD_PLACES, DISCARD, SHOE_MOUTH, SHOE_WAY } from '../layout';
import { type CardTimes, coupTimes } from '../timeline';
import { type CardPose, cardTurn, hiddenCard, LYING_Y, onCard, poseCard } from './motion';

const coup = coupTimes(labDeal(LAB_COUPS.banker, 0));
const card = (side: CardTimes['side'], index: number): CardTimes =>
  coup.cards.find((one) => one.side === side && one.index === index)!;
const at = (which: CardTimes, ms: number, still = false): CardPose => poseCard(coup, which, ms, hiddenCard(), still);

/** 1: the face looks up, -1: the back does. */
const faceUp = (pose: CardPose): number => new Vector3(0, 1, 0).applyQuaternion(cardTurn(pose, new Quaternion())).y;

describe('a card on its way', () => {
  const first = card('player', 0);
  const place = CARD_PLACES.player[0]!;

  it('is not there before it is drawn', () => {
    expect(at(first, first.draw.at - 1).visible).toBe(false);
  });

  it('starts face down in the shoe, its end in the mouth', () => {
    const pose = at(first, first.draw.at);
    expect(pose).toMatchObject({ visible: true, turn: 0 });
    const end = onCard(pose, 0, 0, CARD.height / 2, new Vector3());
    const beyond = (end.x - SHOE_MOUTH.x) * SHOE_WAY.x + (end.z - SHOE_MOUTH.z) * SHOE_WAY.z;
    expect(beyond).toBeGreaterThan(0.03);
    expect(beyond).toBeLessThan(0.05);
    expect(Math.hypot(end.x - SHOE_MOUTH.x, end.z - SHOE_MOUTH.z)).toBeCloseTo(beyond, 6);
  });

  it('lies face down at its place when it has been drawn', () => {
    const pose = at(first, first.draw.at + first.draw.duration);
    expect(pose.x).toBeCloseTo(place.x, 6);
    expect(pose.z).toBeCloseTo(place.z, 6);
    expect(pose.y).toBeCloseTo(LYING_Y, 6);
    expect(pose.turn).toBe(0);
  });

  it('comes steadily nearer to its place', () => {
    let last = Number.POSITIVE_INFINITY;
    for (let ms = first.draw.at; ms <= first.draw.at + first.draw.duration; ms += 20) {
      const pose = at(first, ms);
      const distance = Math.hypot(pose.x - place.x, pose.z - place.z);
      expect(distance).toBeLessThan(last);
      last = distance;
    }
  });

  it('shows nothing of its face before its turn, and all of it afterwards', () => {
    for (const one of coup.cards) {
      const turn = one.turn!;
      for (let ms = one.draw.at; ms <= turn.at; ms += 30) expect(at(one, ms).turn).toBe(0);
      expect(at(one, turn.at + turn.duration).turn).toBe(1);
      expect(faceUp(at(one, turn.at))).toBeCloseTo(-1, 6);
      expect(faceUp(at(one, turn.at + turn.duration))).toBeCloseTo(1, 6);
    }
  });

  it('turns one way only, and lies flat again', () => {
    const turn = first.turn!;
    let last = 0;
    for (let ms = turn.at; ms <= turn.at + turn.duration; ms += 10) {
      const pose = at(first, ms);
      expect(pose.turn).toBeGreaterThanOrEqual(last);
      for (const across of [-1, 1]) {
        for (const along of [-1, 1]) {
          const corner = onCard(pose, (across * CARD.width) / 2, 0, (along * CARD.height) / 2, new Vector3());
          expect(corner.y).toBeGreaterThan(LYING_Y - 0.0015);
        }
      }
      last = pose.turn;
    }
    expect(at(first, turn.at + turn.duration).y).toBeCloseTo(LYING_Y, 6);
    expect(at(first, turn.at + turn.duration).bend).toBeCloseTo(0, 6);
  });

  it('lies across when it is the third', () => {
    const third = card('banker', 2);
    expect(Math.abs(at(third, coup.result.at).yaw)).toBeCloseTo(Math.PI / 2, 1);
  });

  it('goes face down to the discard holder and is gone', () => {
    const { at: from, duration } = coup.clear;
    const late = at(first, from + duration - 1);
    expect(late.visible).toBe(true);
    expect(Math.hypot(late.x - DISCARD.x, late.z - DISCARD.z)).toBeLessThan(0.01);
    expect(faceUp(late)).toBeLessThan(-0.99);
    expect(at(first, from + duration).visible).toBe(false);
  });
});

describe('a moment', () => {
  it('looks the same to one who came late and to one who was there', () => {
    const watched = coup.cards.map(hiddenCard);
    for (let ms = -500; ms <= coup.clear.at + coup.clear.duration; ms += 97) {
      coup.cards.forEach((one, i) => {
        poseCard(coup, one, ms, watched[i]!);
        const fresh = poseCard(coup, one, ms, hiddenCard());
        if (fresh.visible) expect(watched[i]).toEqual(fresh);
        else expect(watched[i]!.visible).toBe(false);
      });
    }
  });

  it('has no half-way poses with reduced motion', () => {
    const one = card('banker', 0);
    const turn = one.turn!;
    expect(at(one, one.draw.at + 100, true).visible).toBe(false);
    expect(at(one, one.draw.at + one.draw.duration, true)).toMatchObject({ visible: true, turn: 0 });
    expect(at(one, turn.at + turn.duration / 2, true).turn).toBe(0);
    expect(at(one, turn.at + turn.duration, true).turn).toBe(1);
  });

  it('does without gestures that the timeline leaves out', () => {
    const bare = coupTimes({
      ...labDeal(LAB_COUPS.tie, 0),
      timeline: [{ act: 'draw', at_ms: 0, dur_ms: 10, side: 'player', index: 0 }],
    });
    expect(bare.cards).toHaveLength(1);
    expect(poseCard(bare, bare.cards[0]!, 1e9, hiddenCard())).toMatchObject({ visible: true, turn: 0 });
  });
});
