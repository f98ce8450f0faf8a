import { afterAll, beforeAll } from '@jest/globals'
import { type Harness, startHarness } from '../fixture/harness.ts'
import { describeDailyPlans } from './daily-plans.ts'
import { type ForecastCompany, loadForecastCompany } from './forecast-company.ts'
import { describeForecasts, describeHistory } from './forecasts.ts'
import { describePlanOfDay } from './plan-of-day.ts'
import { describePlanSchedules } from './plan-schedules.ts'
import { describeScenarios } from './scenarios.ts'

// The company takes most of the time, so that all that needs one with a forecast shares it.
let harness: Harness
let test: ForecastCompany
beforeAll(async () => {
  harness = await startHarness()
  test = await loadForecastCompany(harness)
}, 600_000)
afterAll(() => harness?.stop())

describeForecasts(() => test)
describeScenarios(() => test)
describeDailyPlans(() => test)
describePlanOfDay(() => test)
describePlanSchedules(() => test)
// The last one, because a raised threshold has all weeks counted again.
describeHistory(() => test)
