import {
  type Meter,
  meterEnforcers,
  meters,
  type Plan,
  type PlanMeter,
  publicEndpoints,
  type ServiceName,
} from '@wp/contracts'

/**
 * Quantities included in a month and the price of each started `unit` beyond them, by meter: [included, unit, price].
 */
type MeterTerms = Readonly<Record<Meter, readonly [included: number, unit: number, priceMinor: number]>>

const metersOf = (at_limit: PlanMeter['at_limit'], terms: MeterTerms): PlanMeter[] =>
  meters.map((meter) => {
    const [included, unit, price_minor] = terms[meter]
    // What no service can refuse is billed, at no price in the free plan.
    const action = meterEnforcers[meter] === null ? 'bill' : at_limit
    return { meter, included, at_limit: action, unit, price_minor }
  })

const sameForEveryService = (perMinute: number): Partial<Record<ServiceName, number>> =>
  Object.fromEntries(publicEndpoints.map(({ service }) => [service, perMinute]))

/** The plans, cheapest first. Prices are those of a month. A workspace without a subscription has the first one. */
export const plans: readonly Plan[] = [
  {
    id: 'plan_01kav2c8e0f4v8s7d3m1q9x5ra',
    code: 'free',
    name: 'Free',
    description: 'To try the platform, and for small projects.',
    currency: 'EUR',
    price_minor: 0,
    seat_price_minor: 0,
    included_seats: 10,
    limits: {
      credential_per_minute: 600,
      workspace_per_minute: sameForEveryService(3_000),
      seats: 10,
      quotas: {},
      audit_retention_days: 90,
    },
    meters: metersOf('refuse', {
      api_calls: [5_000_000, 1_000_000, 0],
      agent_runs: [10_000, 1_000, 0],
      tokens_in: [20_000_000, 1_000_000, 0],
      tokens_out: [5_000_000, 1_000_000, 0],
      syncs: [10_000, 1_000, 0],
      records: [20_000_000, 1_000_000, 0],
      forecast_runs: [1_000, 100, 0],
      deliveries: [5_000_000, 1_000_000, 0],
    }),
  },
  {
    id: 'plan_01kav2c8e1f4v8s7d3m1q9x5rb',
    code: 'team',
    name: 'Team',
    description: 'For one office: more of everything, and use beyond it is billed.',
    currency: 'EUR',
    price_minor: 4_900,
    seat_price_minor: 900,
    included_seats: 10,
    limits: {
      credential_per_minute: 1_200,
      workspace_per_minute: sameForEveryService(6_000),
      seats: 100,
      quotas: { sources: 400, integrations: 200, agents: 400, subscriptions: 400 },
      audit_retention_days: 365,
    },
    meters: metersOf('bill', {
      api_calls: [20_000_000, 1_000_000, 100],
      agent_runs: [20_000, 1_000, 500],
      tokens_in: [50_000_000, 1_000_000, 50],
      tokens_out: [10_000_000, 1_000_000, 200],
      syncs: [50_000, 1_000, 100],
      records: [50_000_000, 1_000_000, 100],
      forecast_runs: [5_000, 100, 200],
      deliveries: [20_000_000, 1_000_000, 200],
    }),
  },
  {
    id: 'plan_01kav2c8e2f4v8s7d3m1q9x5rc',
    code: 'business',
    name: 'Business',
    description: 'For several buildings: higher limits, longer retention and lower prices beyond them.',
    currency: 'EUR',
    price_minor: 24_900,
    seat_price_minor: 700,
    included_seats: 50,
    limits: {
      credential_per_minute: 3_000,
      workspace_per_minute: sameForEveryService(15_000),
      seats: 1_000,
      quotas: { sources: 1_000, integrations: 500, agents: 1_000, subscriptions: 1_000, records: 20_000_000 },
      audit_retention_days: 730,
    },
    meters: metersOf('bill', {
      api_calls: [100_000_000, 1_000_000, 80],
      agent_runs: [100_000, 1_000, 400],
      tokens_in: [250_000_000, 1_000_000, 40],
      tokens_out: [50_000_000, 1_000_000, 160],
      syncs: [250_000, 1_000, 80],
      records: [250_000_000, 1_000_000, 80],
      forecast_runs: [25_000, 100, 150],
      deliveries: [100_000_000, 1_000_000, 150],
    }),
  },
  {
    id: 'plan_01kav2c8e3f4v8s7d3m1q9x5rd',
    code: 'enterprise',
    name: 'Enterprise',
    description: 'For companies: the highest limits and the longest retention.',
    currency: 'EUR',
    price_minor: 149_000,
    seat_price_minor: 500,
    included_seats: 250,
    limits: {
      credential_per_minute: 6_000,
      workspace_per_minute: sameForEveryService(60_000),
      seats: 10_000,
      quotas: { sources: 5_000, integrations: 2_000, agents: 5_000, subscriptions: 5_000, records: 100_000_000 },
      audit_retention_days: 2_555,
    },
    meters: metersOf('bill', {
      api_calls: [1_000_000_000, 1_000_000, 60],
      agent_runs: [1_000_000, 1_000, 300],
      tokens_in: [2_500_000_000, 1_000_000, 30],
      tokens_out: [500_000_000, 1_000_000, 120],
      syncs: [2_500_000, 1_000, 60],
      records: [2_500_000_000, 1_000_000, 60],
      forecast_runs: [250_000, 100, 100],
      deliveries: [1_000_000_000, 1_000_000, 100],
    }),
  },
]

/** Returns the plan of a workspace that never subscribed. */
export const freePlan: Plan = planOf('free')
/** Returns the plan with a code. @throws Error if the catalogue has none: a plan in use may not be removed */
export function planOf(code: string): Plan {
  const plan = plans.find((each) => each.code === code)
  if (plan === undefined) throw new Error(`the catalogue has no plan ${code}`)
  return plan
}

/** Returns the plan with an id; undefined if there is none. */
export const findPlan = (id: string): Plan | undefined => plans.find((each) => each.id === id)
/** Returns the price of a month with so many seats, in minor units. */
export const monthlyPrice = ({ price_minor, seat_price_minor, included_seats }: Plan, seats: number): number =>
  price_minor + seat_price_minor * Math.max(0, seats - included_seats)
