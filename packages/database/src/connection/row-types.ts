import pg from 'pg'

const { builtins, getTypeParser } = pg.types

/** How columns come out of plain SQL. What is not named here comes as `pg` has it: jsonb parsed, numeric as text. */
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, safeInteger],
  // `pg` makes a Date of it in the zone of the process; a day has no zone.
  [builtins.DATE, (text) => text],
])

/** Row decoding of one pool; the module-wide registry of `pg` stays as it is, because Prisma's adapter reads it. */
export const rowTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (format === 'binary' ? undefined : parsers.get(oid)) ?? getTypeParser(oid, format),
}

function safeInteger(text: string): number | bigint {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : BigInt(text)
}
