/** The lobby as a place: mounted, polled, taken down. */

import { mount, unmount } from 'svelte';
import type { Accounts } from '../account/accounts.svelte';
import Lobby from '../lobby/Lobby.svelte';
import { Tables } from '../lobby/tables.svelte';
import type { Watch } from '../protection/watch.svelte';
import type { SettingsStore } from '../settings/settings';
import { listTables, openSession, refill } from '../wire/api';
import type { Session } from '../wire/generated';

export interface LobbyHouse {
  readonly app: HTMLElement;
  readonly settings: SettingsStore;
  readonly accounts: Accounts;
  readonly storage: Storage | null;
  readonly watch: Watch;
  /** The table that was asked for does not exist. */
  readonly turnedAway: boolean;
  sitDown(table: string): void;
  /** There is a session. */
  met(): void;
}

/** Answers how to leave it. */
export function openLobby({ app, settings, accounts, watch, storage, turnedAway, sitDown, met }: LobbyHouse): () => void {
  delete document.documentElement.dataset['felt'];
  const visit = (): Promise<Session> => accounts.visiting(openSession).then((session) => (met(), session));
  const tables = new Tables({ visit, list: listTables, refill: () => accounts.visiting(refill) });
  const page = mount(Lobby, { target: app, props: { tables, settings, accounts, watch, storage, turnedAway, sitDown } });
  tables.start();
  return () => {
    tables.stop();
    void unmount(page);
  };
}
