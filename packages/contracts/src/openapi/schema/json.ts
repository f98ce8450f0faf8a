/** A JSON object. */
export type Json = Record<string, unknown>

/** Returns true for a JSON object: neither an array nor null. */
export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a copy with the members in the order of their names. */
export const sorted = (record: Json): Json =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => a.localeCompare(b, 'en')))

/**
 * Returns a name in upper camel case: `data.createSource` becomes `DataCreateSource`, `data_source_id` `DataSourceId`.
 */
export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|[._ -])([a-zA-Z])/g, (_, letter: string) => letter.toUpperCase())
