import type { AccessFixture, AccessFixtures } from '@wp/testkit'

const withVariable: AccessFixture = {
  params: async (context) => ({
    name: await context.createId(
      '/v1/system/workspace/variables',
      { name: context.uniqueName().replace(' ', '_').toUpperCase(), value: 'x' },
      'name',
    ),
  }),
}

export const accessFixtures: AccessFixtures = {
  'system.usage': {},
  'system.listVariables': {},
  'system.putVariable': { request: { body: { name: 'CREATED', value: 'x' } } },
  'system.getVariable': withVariable,
  'system.listVariableVersions': withVariable,
  'system.deleteVariable': withVariable,
}
