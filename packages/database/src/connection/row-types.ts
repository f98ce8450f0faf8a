import pg from 'pg'

const { builtins, getTypeParser } = pg.types

/** Decoders for plain SQL that differ from the defaults of `pg`. */
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, safeInteger],
  // The default is a Date in the time zone of the process; a calendar date has no time zone.
  [builtins.DATE, (text) => text],
])

/** Row decoding of one pool. The global registry of `pg` is left unchanged because Prisma's adapter reads it. */
export const rowTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (format === 'binary' ? undefined : parsers.get(oid)) ?? getTypeParser(oid, format),
}

function safeInteger(text: string): number | bigint {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : BigInt(text)
}
