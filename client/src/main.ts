/** The only place where the parts of the page meet. */

import './tokens.css';
import '@fontsource/marcellus/400.css';
import '@fontsource-variable/hanken-grotesk/index.css';
import { Accounts } from './account/accounts.svelte';
import { LOBBY, type Route, Router } from './main/router';
import { openLobby } from './main/lobby';
import { Seat } from './main/seat';
import { Watch } from './protection/watch.svelte';
import { watchLanguage } from './settings/language';
import { watchMotion } from './settings/motion';
import { keptOf, settingsStore, STORAGE_KEY } from './settings/settings';
import { Sync } from './settings/sync';
import { createSound, listenToFingers } from './sound';
import {
  changePassword,
  endSession,
  getAccount,
  getPreferences,
  openSession,
  protection,
  putPreferences,
  register,
  sit,
  signIn,
  signOut,
  signOutEverywhere,
} from './wire/api';

const app = document.getElementById('app')!;
const storage = storageOf();
const settings = settingsStore(storage);
window.addEventListener('storage', (event) => {
  if (event.key === STORAGE_KEY) settings.adopt(keptOf(event.newValue));
});
watchMotion(settings, window, (reduced) => (document.documentElement.dataset['motion'] = reduced ? 'reduced' : 'full'));
watchLanguage(settings, document.documentElement);
const sync = new Sync(settings, {
  get: getPreferences,
  put: putPreferences,
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
});
const watch = new Watch({ sit, ...protection }, storage);
const accounts: Accounts = new Accounts(
  { account: getAccount, register, signIn, signOut, signOutEverywhere, changePassword, endSession, visit: openSession },
  () => {
    router.go(LOBBY);
    void sync.meetAnew();
    watch.meetAnew();
  },
);
const sound = createSound(settings);
listenToFingers(sound, window);

const met = (): void => {
  void sync.meet();
  watch.meet();
};

let turnedAway = false;
let closePlace = (): void => undefined;
const router = new Router(window, arrive);

function arrive(route: Route): void {
  closePlace();
  if (route.at === 'lobby') {
    closePlace = openLobby({ app, settings, accounts, watch, storage, met, turnedAway, sitDown: (table) => router.go({ at: 'table', table }) });
  } else {
    const turnAway = (): void => {
      turnedAway = true;
      router.turnAway(LOBBY);
      turnedAway = false;
    };
    const quality = new URLSearchParams(location.search).get('quality');
    const seat = new Seat({ app, settings, accounts, watch, sound, met, storage, quality, turnAway, leave: () => router.go(LOBBY) }, route.table);
    closePlace = () => seat.leave();
  }
}
arrive(router.route);

function storageOf(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
