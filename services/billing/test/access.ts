import type { AccessFixtures } from '@wp/testkit'

export const accessFixtures: AccessFixtures = {
  'billing.listPlans': {},
}
