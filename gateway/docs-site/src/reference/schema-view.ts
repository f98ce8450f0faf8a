import { type Html, html } from '../html.ts'
import { renderInline } from '../markdown/render-markdown.ts'
import { arrayOf, isJson, type Json, objectOf, resolve, stringOf } from './json.ts'

/** Larger bounds are those of the number format and say nothing about the field. */
const maxMeaningfulBound = 1e15

/** Nesting beyond which members are not shown. */
const maxDepth = 6

interface Field {
  name: string
  schema: Json
  isRequired: boolean
  type: string
}

/** Renders the members of a schema as a list, with those of nested objects in details. */
export function renderSchema(document: Json, value: unknown, depth = 0): Html {
  const schema = resolve(document, value)
  const choices = objectChoices(document, schema)
  if (choices.length > 1)
    return html`<p class="one-of">One of:</p>${choices.map((choice, index) => renderChoice(document, choice, index, depth))}`
  const fields = fieldsOf(document, choices[0] ?? schema)
  if (fields.length === 0) return html`<p class="field-note">${typeOf(document, schema)}</p>`
  return html`<ul class="fields">${fields.map((field) => renderField(document, field, depth))}</ul>`
}

const renderChoice = (document: Json, choice: Json, index: number, depth: number): Html =>
  html`<details class="choice"${index === 0 && html` open`}><summary>${nameOf(document, choice) ?? `Form ${index + 1}`}${stringOf(choice.description) && html`: ${renderInline(stringOf(choice.description) ?? '')}`}</summary>${renderSchema(document, choice, depth + 1)}</details>`

/** Returns the title of a choice, or the value of the member by which choices differ. */
function nameOf(document: Json, choice: Json): string | undefined {
  const constant = fieldsOf(document, choice).find(({ schema }) => typeof schema.const === 'string')
  return stringOf(choice.title) ?? (constant && `${constant.name}: ${constant.schema.const}`)
}

/** Renders one member or parameter. */
export function renderField(document: Json, { name, schema, isRequired, type }: Field, depth = 0): Html {
  const values = valuesOf(schema)
  const description = stringOf(schema.description)
  const constraints = constraintsOf(schema)
  const nested = depth < maxDepth ? nestedSchema(document, schema) : undefined
  return html`<li class="field"><p class="field-head"><code class="field-name">${name}</code> <span class="field-type">${type}</span>${isRequired && html` <span class="field-required">required</span>`}${schema.deprecated === true && html` <span class="field-deprecated">deprecated</span>`}</p>${description && html`<div class="field-text">${renderInline(description)}</div>`}${values.length > 1 && html`<p class="field-note">Values: ${values.map((item, index) => html`${index > 0 && ' '}<code>${String(item)}</code>`)}</p>`}${constraints.length > 0 && html`<p class="field-note">${constraints.join(' · ')}</p>`}${nested !== undefined && html`<details class="nested"><summary>Members of <code>${name}</code></summary>${renderSchema(document, nested, depth + 1)}</details>`}</li>`
}

/** Returns the schema of the members of a value: its own, or that of its elements. */
function nestedSchema(document: Json, schema: Json): unknown {
  if (objectChoices(document, schema).some((choice) => fieldsOf(document, choice).length > 0)) return schema
  if (fieldsOf(document, schema).length > 0) return schema
  const items = schema.items === undefined ? undefined : resolve(document, schema.items)
  if (items !== undefined) return nestedSchema(document, items)
  const members = schema.additionalProperties
  return isJson(members) ? nestedSchema(document, resolve(document, members)) : undefined
}

/** The choices of a schema that are objects; null and simple values need no explanation. */
const objectChoices = (document: Json, schema: Json): Json[] =>
  [...arrayOf(schema.oneOf), ...arrayOf(schema.anyOf)]
    .map((choice) => resolve(document, choice))
    .filter((choice) => fieldsOf(document, choice).length > 0)

/** Returns the members of an object, also those of the parts of `allOf`. */
export function fieldsOf(document: Json, schema: Json): Field[] {
  const own = Object.entries(objectOf(schema.properties)).map(([name, member]) => ({
    name,
    schema: resolve(document, member),
    isRequired: arrayOf(schema.required).includes(name),
    type: typeOf(document, member),
  }))
  return [...arrayOf(schema.allOf).flatMap((part) => fieldsOf(document, resolve(document, part))), ...own]
}

export function fieldOfParameter(document: Json, parameter: Json): Field {
  const schema = resolve(document, parameter.schema)
  const description = parameter.description ?? schema.description
  return {
    name: String(parameter.name),
    schema: { ...schema, description, deprecated: parameter.deprecated ?? schema.deprecated },
    isRequired: parameter.required === true,
    type: typeOf(document, schema),
  }
}

/** Returns the type of a schema in words, such as `array of strings` or `integer or null`. */
function typeOf(document: Json, value: unknown): string {
  const schema = resolve(document, value)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const choices = [...arrayOf(schema.oneOf), ...arrayOf(schema.anyOf)]
  if (choices.length > 0) return [...new Set(choices.map((choice) => typeOf(document, choice)))].join(' or ')
  if (Array.isArray(schema.type))
    return schema.type.map((type) => typeNameOf(document, schema, String(type))).join(' or ')
  if (typeof schema.type === 'string') return typeNameOf(document, schema, schema.type)
  if (Array.isArray(schema.enum)) return 'string'
  return isJson(schema.properties) || Array.isArray(schema.allOf) ? 'object' : 'any'
}

function typeNameOf(document: Json, schema: Json, type: string): string {
  if (type === 'array') return `array of ${schema.items === undefined ? 'any' : plural(typeOf(document, schema.items))}`
  const format = stringOf(schema.format)
  if (type === 'string' && format === 'date-time') return 'time'
  return type === 'string' && format !== undefined ? `${type} (${format})` : type
}

const plural = (name: string): string =>
  /^(?:string|object|integer|number|boolean|time)$/.test(name) ? `${name}s` : name

/** Returns what a schema demands of a value, each as a short text. */
function constraintsOf(schema: Json): string[] {
  const { minLength, maxLength, minItems, maxItems, maxProperties } = schema
  return [
    range(schema.minimum, schema.maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    range(undefined, maxProperties, ' members'),
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ].filter((text) => text !== undefined)
}

function range(minimum: unknown, maximum: unknown, unit: string): string | undefined {
  const least =
    typeof minimum === 'number' && minimum > -maxMeaningfulBound && (unit === '' || minimum > 1) ? minimum : undefined
  const most = typeof maximum === 'number' && maximum < maxMeaningfulBound ? maximum : undefined
  if (least !== undefined && most !== undefined) return `${format(least)} to ${format(most)}${unit}`
  if (most !== undefined) return `at most ${format(most)}${unit}`
  return least === undefined ? undefined : `at least ${format(least)}${unit}`
}

const format = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 6 })

/** Returns the values of an enumeration, closed or open. */
const valuesOf = (schema: Json): unknown[] => {
  const choices = [...arrayOf(schema.anyOf), ...arrayOf(schema.oneOf)].map(objectOf)
  const own = [...arrayOf(schema.enum), ...arrayOf(schema['x-extensible-enum'])]
  return own.length > 0
    ? own
    : choices.flatMap((choice) => [...arrayOf(choice.enum), ...arrayOf(choice['x-extensible-enum'])])
}
