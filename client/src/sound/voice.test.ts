import { describe, expect, it } from 'vitest';
import { chooseVoice } from './voice';

const voice = (name: string, lang: string, localService = true): SpeechSynthesisVoice => ({ name, lang, localService, default: false, voiceURI: name });
const MAC = ['Albert', 'Bad News', 'Samantha', 'Daniel', 'Fred', 'Zarvox'].map((name) => voice(name, name === 'Daniel' ? 'en-GB' : 'en-US')).concat(voice('Anna', 'de-DE'), voice('Markus', 'de-DE'));
const WINDOWS = ['Microsoft David - English (United States)', 'Microsoft Zira - English (United States)'].map((name) => voice(name, 'en-US'));
const CHROME = [voice('Google UK English Female', 'en-GB', false), voice('Google UK English Male', 'en-GB', false), voice('Google 普通话（中国大陆）', 'zh-CN', false)];
const ANDROID = [voice('English United States', 'en_US'), voice('Deutsch Deutschland', 'de_DE')];

describe('the voice for a dealer', () => {
  it.each([
    ['a Mac, her', MAC, 'en', 'female', 'Samantha'],
    ['a Mac, him', MAC, 'en', 'male', 'Daniel'],
    ['a Mac in German, her', MAC, 'de', 'female', 'Anna'],
    ['a Mac in German, him', MAC, 'de-DE', 'male', 'Markus'],
    ['Windows, her', WINDOWS, 'en', 'female', 'Microsoft Zira - English (United States)'],
    ['Windows, him', WINDOWS, 'en', 'male', 'Microsoft David - English (United States)'],
    ['Chrome, her', CHROME, 'en-GB', 'female', 'Google UK English Female'],
    ['Chrome, him', CHROME, 'en', 'male', 'Google UK English Male'],
    ['Chrome in Chinese', CHROME, 'zh-Hans', 'female', 'Google 普通话（中国大陆）'],
    ['Android, which names nobody', ANDROID, 'de', 'male', 'Deutsch Deutschland'],
  ] as const)('%s', (_, voices, language, dealer, name) => expect(chooseVoice(voices, language, dealer)?.name).toBe(name));

  it('nobody speaks the language: nobody speaks', () => {
    expect(chooseVoice(MAC, 'fr', 'female')).toBeNull();
    expect(chooseVoice([], 'en', 'female')).toBeNull();
  });
});
