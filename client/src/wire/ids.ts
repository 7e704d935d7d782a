/** Request ids: unique enough that a retry is told from a new wish. `crypto.randomUUID` is missing on plain http. */

export function requestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
