import { beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { eventually } from '@wp/testkit'
import { dateOf, dayOf } from '../../src/workplace/local-days.ts'
import { type ForecastCompany, workplace } from './forecast-company.ts'
import { createPlanner, type Planner, schedules } from './planner.ts'

export function describePlanSchedules(testOf: () => ForecastCompany): void {
  describe('a plan schedule', () => {
    let { harness, berlin, floorIds } = {} as ForecastCompany // set before the first test
    let { read, change, createSchedule, eventsOf } = {} as Planner // set before the first test
    beforeAll(() => {
      ;({ harness, berlin, floorIds } = testOf())
      ;({ read, change, createSchedule, eventsOf } = createPlanner(harness))
    })
    const createSite = async (more: object = {}) => {
      const body = { name: newId('spc'), kind: 'site', timezone: 'Europe/Berlin', ...more }
      return (await harness.call('POST', `${workplace}/spaces`, { body })).body.data.id as string
    }
    const patchSpace = (id: string, body: object) => harness.call('PATCH', `${workplace}/spaces/${id}`, { body })

    it('makes the plan of today when its time has come, and the request of a plan returns the same one', async () => {
      const every = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
      const spaceId = await createSite()
      const id = await createSchedule({ name: 'Soon', space_id: spaceId, local_time: '23:59', weekdays: every })
      // The time of today has passed, so the pending run of today is due.
      await change(id, { local_time: '00:00' })
      await eventually(async () => (await read(`plans?space_id=${spaceId}`)).length === 1, {
        description: 'the plan of today',
      })
      const [plan] = await read(`plans?space_id=${spaceId}`)
      const requested = await harness.call('POST', `${schedules}/${id}/run`)
      expect(requested.body.data).toMatchObject({ id: plan.id, plan_schedule_id: id })
      expect(await eventsOf(spaceId, plan.date)).toHaveLength(1)
    })

    it('makes the plan of today at once on request, and once by two requests', async () => {
      const spaceId = await createSite()
      const id = await createSchedule({ name: 'Now', space_id: spaceId, enabled: false })
      const answers = await Promise.all([1, 2].map(() => harness.call('POST', `${schedules}/${id}/run`)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
      expect(await eventsOf(spaceId, answers[0]?.body.data.date)).toHaveLength(1)
      expect(answers[0]?.body.data.warnings).toEqual(
        expect.arrayContaining([expect.stringContaining('has no floors: add them')]),
      )
    })

    it('makes the plan of one of the next seven days on request, and of no other', async () => {
      const id = await createSchedule({ name: 'Ahead', space_id: await createSite(), enabled: false })
      const runOn = (date: string) => harness.call('POST', `${schedules}/${id}/run?date=${date}`)
      const { body } = await harness.call('POST', `${schedules}/${id}/run`)
      const dayAfter = (days: number) => dateOf(dayOf(body.data.date) + days)
      expect((await runOn(dayAfter(7))).body.data).toMatchObject({ date: dayAfter(7) })
      for (const date of [dayAfter(-1), dayAfter(8)])
        expect((await runOn(date)).body).toMatchObject({ status: 400, errors: [{ pointer: '/date' }] })
    })

    it('follows the time zone and opening hours of its space', async () => {
      const spaceId = await createSite()
      const id = await createSchedule({ name: 'Moving', space_id: spaceId })
      const at = async () => {
        const { timezone, next_run_at: next } = await read(`plan-schedules/${id}`)
        const parts = { timeZone: timezone, hour: '2-digit', minute: '2-digit', weekday: 'long' } as const
        return { timezone, local: next && new Intl.DateTimeFormat('en-GB', parts).format(new Date(next)) }
      }
      expect(await at()).toEqual({ timezone: 'Europe/Berlin', local: expect.stringMatching(/day.* 06:00$/) })
      await patchSpace(spaceId, { timezone: 'Asia/Tokyo', opening_hours: { sun: { from: '08:00', to: '12:00' } } })
      expect(await at()).toEqual({ timezone: 'Asia/Tokyo', local: expect.stringMatching(/^Sunday.* 06:00$/) })
      await patchSpace(spaceId, { opening_hours: {} })
      expect(await at()).toEqual({ timezone: 'Asia/Tokyo', local: null })
    })

    it('is deleted with its space, whose plans stay', async () => {
      const spaceId = await createSite()
      const id = await createSchedule({ name: 'Gone', space_id: spaceId })
      const { body } = await harness.call('POST', `${schedules}/${id}/run`)
      expect((await harness.call('DELETE', `${workplace}/spaces/${spaceId}`)).status).toBe(200)
      expect((await harness.call('GET', `${schedules}/${id}`)).status).toBe(404)
      expect(await harness.rows('SELECT 1 FROM platform.schedules WHERE resource_id = $1', [id])).toEqual([])
      expect(await read(`plans/${body.data.id}`)).toMatchObject({ space_id: spaceId })
    })

    it('refuses what it cannot plan, with a pointer', async () => {
      const [floor] = floorIds
      const spaceId = await createSite()
      const refused = async (body: object, status: number, pointer: string) =>
        expect(
          await harness.call('POST', schedules, { body: { name: 'X', space_id: spaceId, ...body } }),
        ).toMatchObject({
          status,
          body: { errors: [{ pointer }] },
        })
      await refused({ space_id: floor }, 400, '/space_id')
      await refused({ space_id: newId('spc') }, 400, '/space_id')
      await refused({ space_id: berlin }, 409, '/space_id')
      await refused({ local_time: '24:00' }, 400, '/local_time')
      await refused({ weekdays: [] }, 400, '/weekdays')
      await refused({ weekdays: ['mon', 'mon'] }, 400, '/weekdays/1')
      await refused({ scenario_id: newId('scn') }, 400, '/scenario_id')
      await refused({ parameters: { meal_share: 1.1 } }, 400, '/parameters/meal_share')
    })

    it('changes only the members that are named', async () => {
      const spaceId = await createSite()
      const id = await createSchedule({ name: 'Partial', space_id: spaceId, weekdays: ['fri'], metadata: { a: '1' } })
      const before = await read(`plan-schedules/${id}`)
      await change(id, { parameters: { meal_share: 0.25 }, weekdays: null, metadata: { b: '2' } })
      expect(await read(`plan-schedules/${id}`)).toEqual({
        ...before,
        weekdays: null,
        parameters: { ...before.parameters, meal_share: 0.25 },
        metadata: { a: '1', b: '2' },
        updated_at: expect.any(String),
        next_run_at: expect.any(String),
      })
    })
  })
}
