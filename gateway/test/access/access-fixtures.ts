import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type EndpointDefinition, type ServiceName, serviceOf } from '@wp/contracts'
import type { AccessFixture, AccessFixtures } from '@wp/testkit'

const services = join(import.meta.dirname, '../../../services')

/** `test/access.ts` of a service. */
interface AccessModule {
  accessFixtures: AccessFixtures
  /** Settings of the service that the fixtures rely on. */
  accessEnv?: Record<string, string>
}

const modules: ReadonlyMap<string, AccessModule> = new Map(
  await Promise.all(
    globSync('*/test/access.ts', { cwd: services }).map(async (file) => {
      const module: AccessModule = await import(join(services, file))
      return [dirname(dirname(file)), module] as const
    }),
  ),
)

/** The environment that the fixtures need, by service. */
export const accessEnvironment: Record<string, Record<string, string>> = Object.fromEntries(
  [...modules].flatMap(([service, { accessEnv }]) => (accessEnv === undefined ? [] : [[service, accessEnv]])),
)

/** Returns the ids of the endpoints for which a service has a fixture, sorted. */
export const fixtureIdsOf = (service: ServiceName): string[] =>
  Object.keys(modules.get(service)?.accessFixtures ?? {}).sort()

/** Returns the fixture of an endpoint; an empty one if it is missing, which a test of its own reports. */
export const fixtureOf = (definition: EndpointDefinition): AccessFixture =>
  modules.get(serviceOf(definition))?.accessFixtures[definition.id] ?? {}
