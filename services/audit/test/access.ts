import { type AccessFixtures, eventually } from '@wp/testkit'

export const accessFixtures: AccessFixtures = {
  'audit.listLogs': {},
  'audit.verifyLogs': {},
  'audit.readHead': {},
  'audit.getLog': {
    // The seeding of the workspace is recorded soon after the start.
    params: async (context) => ({
      id: await eventually(async () => (await context.read('/v1/audit/logs?limit=1'))[0]?.id ?? false),
    }),
  },
}
