import type { AccessFixture, AccessFixtures, EdgeRequestOptions } from '@wp/testkit'

/** An integration whose address refuses connections, so that a test of it fails at once. */
const withIntegration = (request?: EdgeRequestOptions): AccessFixture => ({
  params: async (context) => ({
    integration_id: await context.createId(
      '/v1/integrations/integrations',
      {
        provider: 'http',
        name: context.uniqueName(),
        config: { base_url: 'http://127.0.0.1:1024/' },
        secrets: { token: 'secret' },
      },
      'integration_id',
    ),
  }),
  ...(request === undefined ? {} : { request }),
})

export const accessFixtures: AccessFixtures = {
  'integrations.listProviders': {},
  'integrations.listIntegrations': {},
  'integrations.createIntegration': {
    request: { body: { provider: 'github', name: 'created', secrets: { token: 'x' } } },
  },
  'integrations.getIntegration': withIntegration(),
  'integrations.updateIntegration': withIntegration({ body: { name: 'renamed' } }),
  'integrations.deleteIntegration': withIntegration(),
  'integrations.testIntegration': withIntegration(),
}
