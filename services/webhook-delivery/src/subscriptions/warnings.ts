import type { EventFilter } from '@wp/contracts'
import { eventCatalogue } from '../event-catalogue.ts'
import type { ApplicationSession } from '../store/subscriptions/dependent-subscriptions.ts'
import type { Subscription } from '../store/subscriptions/subscriptions.ts'

/** Shorter secrets can be guessed. */
const minSecretLength = 16

type WarnedSettings = Pick<Subscription, 'delivery' | 'secretSealed' | 'events' | 'authentication'> & {
  filter: EventFilter | null
  rateLimit: number | null
  dependsOn: ApplicationSession | null
}

/** Returns the warnings that apply to a subscription at any time. */
export const standingWarnings = (settings: WarnedSettings): string[] => [
  ...signatureWarnings(settings),
  ...filterWarnings(settings),
  ...pollWarnings(settings),
  ...sessionWarnings(settings),
]

const signatureWarnings = ({ delivery, secretSealed }: WarnedSettings): string[] =>
  secretSealed === null && delivery === 'push'
    ? [
        'The subscription has no secret, so its deliveries are not signed; set `secret`, or rotate the secret, which ' +
          'generates one',
      ]
    : []

const pollWarnings = ({ delivery, authentication, rateLimit }: WarnedSettings): string[] =>
  delivery === 'poll'
    ? [
        ...(authentication === null ? [] : ['`authentication` has no effect while the subscription is polled']),
        ...(rateLimit === null ? [] : ['`rate_limit` has no effect while the subscription is polled']),
      ]
    : []

const sessionWarnings = ({ dependsOn }: WarnedSettings): string[] =>
  dependsOn === null
    ? []
    : [
        'An application made the subscription: it is disabled when the session of the application ends, unless you ' +
          'set `status` to `active` with a credential of your own',
      ]

const filterWarnings = ({ events, filter }: WarnedSettings): string[] =>
  filter === null
    ? []
    : findUnknownFields(events, filter).map(
        (path) => `\`filter\` names the field ${path}, which no event of the subscription has by its schema`,
      )

/** Returns a warning about a secret that a request sets. */
export const secretWarnings = (secret: string | null | undefined): string[] =>
  typeof secret === 'string' && secret.length < minSecretLength
    ? [`\`secret\` has fewer than ${minSecretLength} characters and can be guessed; set a longer one`]
    : []

/** The parts of a JSON Schema by which fields are found. */
interface FieldSchema {
  properties?: Record<string, FieldSchema>
  additionalProperties?: FieldSchema | boolean
  anyOf?: FieldSchema[]
}

/** Returns the paths of a filter that no payload of the selected event kinds has by its schema. */
function findUnknownFields(events: readonly string[], { all = {}, any = [] }: EventFilter): string[] {
  const kinds = eventCatalogue.filter(({ kind }) => events.includes('*') || events.includes(kind))
  const paths = new Set([all, ...any].flatMap((conditions) => Object.keys(conditions)))
  // The catalogue contains generated JSON Schemas.
  return [...paths].filter(
    (path) => !kinds.some(({ schema }) => path === 'event' || hasField(schema as FieldSchema, path)),
  )
}

const hasField = (schema: FieldSchema, path: string): boolean =>
  path
    .split('.')
    .reduce<FieldSchema[]>((schemas, name) => schemas.flatMap((each) => memberSchemas(each, name)), [schema]).length > 0

function memberSchemas(schema: FieldSchema, name: string): FieldSchema[] {
  const { properties = {}, additionalProperties, anyOf = [] } = schema
  if (Object.hasOwn(properties, name)) return [properties[name] ?? {}]
  if (typeof additionalProperties === 'object') return [additionalProperties]
  return anyOf.flatMap((each) => memberSchemas(each, name))
}
