import type { EndpointDefinition } from '@wp/contracts'
import fc from 'fast-check'
import { fixtureOf } from '../../access/access-fixtures.ts'
import { authenticated } from '../../access/endpoint-calls.ts'
import { mutated } from '../requests.ts'
import type { ActorName } from './actors.ts'
import { familyOf, type KnownResource, type Model, remember, resourcesOf } from './model.ts'
import { type Call, call, type Platform } from './platform.ts'

type Command = fc.AsyncCommand<Model, Platform>

const excluded = new Set([
  // They end the session or the workspace of later requests.
  'auth.logout',
  'system.deleteWorkspace',
  'system.cancelWorkspaceDeletion',
  // The number of workspaces of a user is limited.
  'system.createWorkspace',
  // The stream does not end; that of a run lasts as long as the run, which may wait for an approval.
  'notifications.streamNotifications',
  'ai.streamRunEvents',
  // Its messages have a format of their own, and a test of their own.
  'mcp.message',
  // The fixtures of both workspaces invite the same user, who may answer all invitations.
  'auth.acceptInvitationById',
  'auth.declineInvitation',
])

const endpoints = authenticated.filter(
  (definition) => !excluded.has(definition.id) && !fixtureOf(definition).isForEveryone,
)
/** The endpoints of each resource; those of no resource are one family more. */
const families = Map.groupBy(endpoints, familyOf)
const resourceFamilies = [...families.keys()].filter((family) => family !== undefined)
const withoutResource = families.get(undefined) ?? []

/** Sends a request. If its endpoint names a resource, that is one of the known ones, or a new one. */
class CallCommand implements Command {
  readonly #step: Omit<Call, 'target'>
  readonly #creator: ActorName
  readonly #choice: number

  constructor(step: Omit<Call, 'target'>, creator: ActorName, choice: number) {
    this.#step = step
    this.#creator = creator
    this.#choice = choice
  }

  check = () => true

  async run(model: Model, platform: Platform): Promise<void> {
    const target = await this.#chooseTarget(model, platform)
    await call(model, platform, target === undefined ? this.#step : { ...this.#step, target })
  }

  async #chooseTarget(model: Model, { actors, log }: Platform): Promise<KnownResource | undefined> {
    const { definition } = this.#step
    const createParams = fixtureOf(definition).params
    if (createParams === undefined) return undefined
    const known = resourcesOf(model, definition)
    const chosen = known[this.#choice % (known.length + 1)]
    if (chosen !== undefined) return chosen
    const params = await createParams(actors[this.#creator].context)
    log.push(`${this.#creator}: created ${JSON.stringify(params)} for ${definition.id}`)
    const created = { owner: this.#creator, params, isDeleted: false }
    remember(model, definition, created)
    return created
  }

  toString = () => `${this.#step.actor} calls ${this.#step.definition.id} (${this.#creator} ${this.#choice})`
}

const actor = fc.constantFrom<ActorName>('A', 'B')
const choice = fc.nat({ max: 1_000 })

/** The body is that of the fixture, or one with a change. */
function bodyOf(definition: EndpointDefinition): fc.Arbitrary<{ value: unknown } | undefined> {
  const valid = fixtureOf(definition).request?.body
  if (valid === undefined) return fc.constant(undefined)
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: mutated(valid).map((value) => ({ value })) },
  )
}

const callTo = (definitions: readonly EndpointDefinition[]): fc.Arbitrary<Command> =>
  fc
    .constantFrom(...definitions)
    .chain((definition) =>
      fc
        .tuple(actor, actor, bodyOf(definition), choice)
        .map(
          ([name, creator, body, index]) =>
            new CallCommand({ definition, actor: name, ...(body === undefined ? {} : { body }) }, creator, index),
        ),
    )

/** Sequences of requests of two workspaces about resources of a few kinds, so that they meet often. */
export const sequences = (maxCommands: number): fc.Arbitrary<Iterable<Command>> =>
  fc.subarray(resourceFamilies, { minLength: 3, maxLength: 4 }).chain((chosen) => {
    const calls = chosen.map((family) => callTo(families.get(family) ?? []))
    return fc.commands([...calls, ...calls, callTo(withoutResource)], { maxCommands, size: 'max' })
  })
