import { buildCommand, buildRouteMap } from '@stricli/core'
import { onePositional, textFlag } from '../../flag-types.ts'
import { listFlags, outputFlags } from '../../output/flags.ts'

/**
 * The resources with generated commands: each verb calls the endpoint of the contracts with its id. A verb that takes a
 * body takes it with `--data`, as `wp api` does.
 */
const resources = {
  variables: {
    brief: 'Variables of the workspace',
    verbs: {
      list: 'system.listVariables',
      get: 'system.getVariable',
      set: 'system.putVariable',
      delete: 'system.deleteVariable',
    },
  },
  members: {
    brief: 'Members of the workspace and their roles',
    verbs: {
      list: 'auth.listUsers',
      get: 'auth.getUser',
      invite: 'auth.inviteUser',
      update: 'auth.updateUser',
      remove: 'auth.removeUser',
    },
  },
  destinations: {
    brief: 'Buckets, topics and log systems that events are written to',
    verbs: crud('webhooks', 'Destination'),
  },
  integrations: { brief: 'Connections to other systems', verbs: crud('integrations', 'Integration') },
  spaces: { brief: 'Sites, buildings, floors, zones and rooms', verbs: crud('solutions', 'Space') },
  teams: { brief: 'Teams and their headcount', verbs: crud('solutions', 'Team') },
  scenarios: {
    brief: 'What-if plans of floors and teams',
    verbs: {
      list: 'solutions.listScenarios',
      get: 'solutions.getScenario',
      create: 'solutions.createScenario',
      cancel: 'solutions.cancelScenario',
      delete: 'solutions.deleteScenario',
    },
  },
} as const

function crud<Surface extends string, Noun extends string>(surface: Surface, noun: Noun) {
  return {
    list: `${surface}.list${noun}s`,
    get: `${surface}.get${noun}`,
    create: `${surface}.create${noun}`,
    update: `${surface}.update${noun}`,
    delete: `${surface}.delete${noun}`,
  } as const
}

const briefs = {
  list: 'List them',
  get: 'Print one',
  create: 'Create one',
  set: 'Create or replace one',
  invite: 'Invite someone by mail',
  update: 'Change one',
  cancel: 'Cancel one',
  delete: 'Delete one',
  remove: 'Remove one from the workspace',
} as const

type Verb = keyof typeof briefs

const bodyFlag = textFlag('body', 'Fields as JSON, @file, or - for standard input')

/** Verbs without an id in their path. */
const withoutId = new Set<Verb>(['create', 'set', 'invite'])

/** The route maps of the resources, by their names. */
export const resourceCommands = Object.fromEntries(
  Object.entries(resources).map(([name, { brief, verbs }]) => [
    name,
    buildRouteMap({
      routes: Object.fromEntries(
        Object.entries(verbs).map(([verb, endpointId]) => [verb, resourceCommand(verb as Verb, endpointId)]), // its keys are verbs
      ),
      docs: { brief },
    }),
  ]),
)

/** Returns the command of a verb that calls an endpoint. */
export function resourceCommand(verb: Verb, endpointId: string) {
  const docs = { brief: `${briefs[verb]} (${endpointId})` }
  if (verb === 'list')
    return buildCommand({
      loader: async () => (await import('./call-resource.ts')).listResources(endpointId),
      parameters: { flags: listFlags },
      docs,
    })
  if (withoutId.has(verb))
    return buildCommand({
      loader: async () => (await import('./call-resource.ts')).createResource(endpointId),
      parameters: { flags: { ...outputFlags, data: bodyFlag } },
      docs,
    })
  return buildCommand({
    loader: async () => (await import('./call-resource.ts')).callResource(endpointId),
    parameters: {
      flags: { ...outputFlags, data: bodyFlag },
      positional: onePositional('id', 'Its id, or the name of a variable'),
    },
    docs,
  })
}
