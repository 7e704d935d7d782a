import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tell } from '../i18n';
import { TERMS } from '../testing/fixture';
import { COUNTED, type Counted, DECKS, houseEdge } from './odds';
import { AFTER_STAND, explain, pointsOf, TABLEAU } from './tableau';

interface Vectors {
  readonly tableau: Readonly<Record<string, string>>;
  readonly hands: readonly {
    readonly id: string;
    readonly expected: { readonly player_cards: string[]; readonly banker_cards: string[]; readonly natural: boolean };
  }[];
}
const vectors = JSON.parse(readFileSync(fileURLToPath(new URL('../../../tests/vectors/hands.json', import.meta.url)), 'utf8')) as Vectors;

describe('the tableau as printed', () => {
  it.each(Object.entries(vectors.tableau))('row %s is that of the rules', (row, cells) => expect(TABLEAU[Number(row)]).toBe(cells.replaceAll('H', 'D')));

  it('says of every worked hand what was done', () => {
    for (const { id, expected } of vectors.hands) {
      const { player_cards, banker_cards, natural } = expected;
      const said = explain(1, player_cards, banker_cards)!;
      const words = tell([...said.player, ...said.banker]);
      expect([id, /natural/.test(words)]).toEqual([id, natural]);
      if (natural) continue;
      expect([id, /the Player draws/.test(words)]).toEqual([id, player_cards.length === 3]);
      expect([id, /So the Banker draws/.test(words)]).toEqual([id, banker_cards.length === 3]);
      expect([id, /So the Banker stands/.test(words)]).toEqual([id, banker_cards.length === 2]);
    }
  });
});

describe('a coup explained', () => {
  const PLAYER = ['QH', '4C', '8D'];
  const BANKER = ['TS', '3H', '4C'];

  it('nothing is said before both hands of two lie open', () => {
    expect(explain(1, ['QH', null], ['TS', '3H'])).toBeNull();
    expect(explain(1, [], [])).toBeNull();
  });

  it('the Banker waits for the third card of the Player', () => {
    expect(explain(1, ['QH', '4C', null], BANKER.slice(0, 2))).toMatchObject({ banker: [], cell: null });
  });

  it('is lit where it stands, with the reason in words', () => {
    const said = explain(1, PLAYER, BANKER)!;
    expect(said.cell).toEqual({ banker: 3, third: 8 });
    expect(tell(said.player)).toBe('Player has 4: on 0 to 5 the Player draws.');
    expect(tell(said.banker)).toBe(
      'Banker has 3, and the Player’s third card counts 8. On 3 the Banker draws unless it is an 8. So the Banker stands.',
    );
  });

  it('a third card that counts nothing is a third card', () => {
    expect(explain(1, ['QH', '2C', 'KD'], ['TS', '5H'])!.cell).toEqual({ banker: 5, third: 0 });
    expect(explain(1, ['QH', '7C'], ['TS', '5H'])!.cell).toEqual({ banker: 5, third: 'stood' });
  });
});

/** Every ordered six-card beginning of a fresh shoe, by points, dealt by the printed tableau. */
function count(decks: number): Counted {
  const left = Array.from({ length: 10 }, (_, points) => (points === 0 ? 16 : 4) * decks);
  const result = { player: 0, banker: 0, tie: 0 };
  const dealt: number[] = [];
  const deal = (ways: number): void => {
    if (dealt.length === 6) {
      result[outcome(dealt)] += ways;
      return;
    }
    for (let points = 0; points < 10; points++) {
      const here = left[points]!;
      if (here === 0) continue;
      left[points] = here - 1;
      dealt.push(points);
      deal(ways * here);
      dealt.pop();
      left[points] = here;
    }
  };
  deal(1);
  return result;
}

function outcome([p1, b1, p2, b2, fifth, sixth]: readonly number[]): 'player' | 'banker' | 'tie' {
  let [player, banker] = [(p1! + p2!) % 10, (b1! + b2!) % 10];
  if (player < 8 && banker < 8) {
    const two = banker;
    if (player <= 5) {
      player = (player + fifth!) % 10;
      if (TABLEAU[two]![fifth!] === 'D') banker = (banker + sixth!) % 10;
    } else if (AFTER_STAND[two] === 'D') banker = (banker + fifth!) % 10;
  }
  return player === banker ? 'tie' : player > banker ? 'player' : 'banker';
}

describe('odds', () => {
  it.each(DECKS)('of %d decks are counted, not believed', (decks) => expect(count(decks)).toEqual(COUNTED[decks]));

  it.each([
    ['player', 8, 1.235081328917],
    ['banker', 8, 1.057905784247],
    ['tie', 8, 14.359628778724],
    ['player', 6, 1.237414898645],
    ['banker', 6, 1.055848695482],
    ['tie', 6, 14.438159797781],
  ])('the edge on %s with %d decks', (area, decks, percent) => {
    const terms = TERMS.areas.find((one) => one.area === area)!;
    expect(houseEdge(terms, decks)! * 100).toBeCloseTo(percent, 9);
  });

  it('are those of the table’s own payouts', () => {
    const tie = { ...TERMS.areas.find((one) => one.area === 'tie')!, pays_numerator: 9 };
    expect(houseEdge(tie, 8)! * 100).toBeCloseTo(4.844, 3);
    expect([houseEdge(tie, 3), houseEdge({ ...tie, area: 'pair' }, 8)]).toEqual([null, null]);
  });
});

it('points of cards', () => expect(['AS', '9D', 'TH', 'KC', '2S'].map(pointsOf)).toEqual([1, 9, 0, 0, 2]));
