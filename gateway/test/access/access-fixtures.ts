import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type EndpointDefinition, type ServiceName, serviceOf } from '@wp/contracts'
import type { AccessFixture, AccessFixtures } from '@wp/testkit'

const services = join(import.meta.dirname, '../../../services')

/** The access fixtures of each service, which declares them in its `test/access.ts`. */
const fixturesByService: ReadonlyMap<string, AccessFixtures> = new Map(
  await Promise.all(
    globSync('*/test/access.ts', { cwd: services }).map(async (file) => {
      const { accessFixtures }: { accessFixtures: AccessFixtures } = await import(join(services, file))
      return [dirname(dirname(file)), accessFixtures] as const
    }),
  ),
)

/** Returns the ids of the endpoints for which a service has a fixture, sorted. */
export const fixtureIdsOf = (service: ServiceName): string[] => Object.keys(fixturesByService.get(service) ?? {}).sort()

/** Returns the fixture of an endpoint; an empty one if it is missing, which a test of its own reports. */
export const fixtureOf = (definition: EndpointDefinition): AccessFixture =>
  fixturesByService.get(serviceOf(definition))?.[definition.id] ?? {}
