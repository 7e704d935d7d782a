/** The lobby as a place: mounted, polled, taken down. */

import { mount, unmount } from 'svelte';
import Lobby from '../lobby/Lobby.svelte';
import { Tables } from '../lobby/tables.svelte';
import type { SettingsStore } from '../settings/settings';
import { listTables, openSession, refill } from '../wire/api';

export interface LobbyHouse {
  readonly app: HTMLElement;
  readonly settings: SettingsStore;
  sitDown(table: string): void;
  /** There is a session. */
  met(): void;
}

/** Answers how to leave it. */
export function openLobby({ app, settings, sitDown, met }: LobbyHouse): () => void {
  delete document.documentElement.dataset['felt'];
  const tables = new Tables({ visit: () => openSession().then((session) => (met(), session)), list: listTables, refill });
  const page = mount(Lobby, { target: app, props: { tables, settings, sitDown } });
  tables.start();
  return () => {
    tables.stop();
    void unmount(page);
  };
}
