import { isJson, type Json } from './json.ts'

/** Descriptions of properties that mean the same in every schema, unless one says something else. */
export const commonProperties: Readonly<Record<string, string>> = {
  created_at: 'Time of creation',
  updated_at: 'Time of the last change',
  external_id: 'Your own identifier of the resource, by which lists can be filtered; null for none',
  metadata: 'Your own string pairs, by which lists can be filtered',
}

/** Describes the common properties of an object schema that have no description of their own. */
export function describeCommon(schema: Json): Json {
  if (!isJson(schema.properties)) return schema
  const properties = Object.entries(schema.properties).map(([name, own]) => {
    const description = commonProperties[name]
    const lacksOne = isJson(own) && own.description === undefined && own.$ref === undefined
    return [name, lacksOne && description !== undefined ? { ...own, description } : own]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}
