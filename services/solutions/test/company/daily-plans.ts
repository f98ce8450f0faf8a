import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { dateOf, dayOf } from '../../src/workplace/local-days.ts'
import { type ForecastCompany, lastDay, workplace } from './forecast-company.ts'
import { createPlanner, type Planner } from './planner.ts'

/** The Thursday after the last day with data, which a forecast covers. */
const nextDay = '2025-05-22'

export function describeDailyPlans(testOf: () => ForecastCompany): void {
  describe('the daily plan of a site', () => {
    let scheduleId: string
    let withheld: string[]
    // biome-ignore lint/suspicious/noExplicitAny: as the responses they are
    let [first, second]: any[] = []
    let { harness, berlin, floorRun, floorIds, teamRun } = {} as ForecastCompany // set before the first test
    let { read, change, createSchedule, run, eventsOf } = {} as Planner // set before the first test
    beforeAll(async () => {
      ;({ harness, berlin, floorRun, floorIds, teamRun } = testOf())
      ;({ read, change, createSchedule, run, eventsOf } = createPlanner(harness))
      scheduleId = await createSchedule({ name: 'Berlin', space_id: berlin })
      // Few days of so small a site are shown, and a plan is made of half of the days of its weekday at least.
      const before = (weeks: number[]) => weeks.map((week) => dateOf(dayOf(lastDay) - 7 * week))
      withheld = before([1, 6, 7, 8, 9])
      await harness.rows('CREATE TABLE shown_days AS SELECT * FROM space_days WHERE space_id = $1', [berlin])
      await harness.rows(
        `UPDATE space_days SET is_suppressed = day = ANY ($2),
           attendance = attendance + CASE WHEN day = ANY ($2) THEN 500 ELSE 0 END
         WHERE space_id = $1 AND day = ANY ($3)`,
        [berlin, withheld, [...withheld, ...before([0, 2, 3, 4, 5])]],
      )
      const { plan_id: profileId } = await run(scheduleId, lastDay)
      const { plan_id: forecastId } = await run(scheduleId, nextDay)
      ;[first, second] = [await read(`plans/${profileId}`), await read(`plans/${forecastId}`)]
    })

    afterAll(async () => {
      await harness.rows(
        `UPDATE space_days AS own SET is_suppressed = shown.is_suppressed, attendance = shown.attendance
         FROM shown_days AS shown WHERE own.space_id = shown.space_id AND own.day = shown.day`,
      )
      await harness.rows('DROP TABLE shown_days')
    })

    it('expects what the same weekday had, or what a forecast of the day says', async () => {
      expect(first).toMatchObject({ date: lastDay, expected: { source: 'profile' }, forecast_run_id: null })
      expect(second).toMatchObject({ date: nextDay, expected: { source: 'forecast' }, previous: { plan_id: first.id } })
      expect(second.forecast_run_id).toBe(floorRun.id)
      const ofBerlin = floorRun.series.find(({ key }: { key: { space: string } }) => key.space === berlin)
      expect(second.expected.mean).toBeCloseTo(ofBerlin.points[0].mean, 0)
      // The same weekday of the 8 weeks before, without the days that are withheld.
      const since = dateOf(dayOf(lastDay) - 56)
      const days = await read(`utilization?space_id=${berlin}&since=${since}&until=${lastDay}`)
      const weekdays = days.filter((_: unknown, at: number) => at % 7 === 0)
      expect(weekdays.map(({ attendance }: { attendance: number | null }) => attendance === null)).toEqual(
        [8, 7, 6, 5, 4, 3, 2, 1].map((week) => week === 1 || week > 5),
      )
      const same = weekdays.filter(
        ({ attendance, coverage }: { attendance: number | null; coverage: number }) =>
          attendance !== null && coverage === 1,
      )
      const sum = same.reduce((all: number, { attendance }: { attendance: number }) => all + attendance, 0)
      expect(same).toHaveLength(4)
      expect(first.expected.mean).toBeCloseTo(sum / same.length, 1)
    })

    it('has every floor with its hours, of which the fullest are at midday', () => {
      expect(second.floors.length).toBeGreaterThan(1)
      const shown = second.floors.filter(({ peak }: { peak: object | null }) => peak !== null)
      expect(shown.length).toBeGreaterThan(0)
      for (const { hours, peak, heating, expected } of shown) {
        expect(hours).toHaveLength(24)
        expect(peak.start >= '09:00' && peak.start <= '16:00').toBe(true)
        expect(peak.people).toBeLessThanOrEqual(expected.mean)
        if (peak.people >= 5) expect(heating.from < heating.to).toBe(true)
      }
      expect(second.meals.expected).toBe(Math.ceil(Math.round(second.expected.mean) * 0.6 - 1e-9))
      expect(second.headline).toMatch(/^About \d+ people are expected in Berlin on Thursday 22 May, at most \d+/)
    })

    it('compares the plan before with what utilization shows, and withholds what utilization withholds', async () => {
      const compare = async () => {
        const { previous } = await read(`plans/${second.id}`)
        const path = `utilization?space_id=${berlin}&since=${lastDay}&until=${nextDay}`
        const [own] = await read(path)
        expect(previous).toMatchObject({ date: lastDay, actual: own.attendance, expected: first.expected.mean })
        for (const { space_id: id, actual, suppressed } of previous.floors) {
          const [floor] = await read(`utilization?space_id=${id}&since=${lastDay}&until=${nextDay}`)
          expect({ id, actual }).toEqual({ id, actual: floor.attendance })
          if (floor.attendance === null) expect(suppressed).toBe(true)
        }
        return previous
      }
      const before = await compare()
      expect(before.wape).toBeCloseTo(Math.abs(before.error) / before.actual, 3)
      // Without a request, which has all weeks counted again.
      const settings = (threshold: number) =>
        harness.rows('UPDATE workplace_settings SET privacy_threshold = $1', [threshold])
      await settings(100)
      const after = await compare()
      const withheld = ({ floors }: { floors: { actual: number | null }[] }) =>
        floors.filter(({ actual }) => actual === null).length
      expect(withheld(after)).toBeGreaterThan(withheld(before))
      await settings(5)
    })

    it('leaves as one event, of the service, with what to do and without the people who came by floor', async () => {
      const events = await eventsOf(berlin, nextDay)
      expect(events).toEqual([
        {
          actor: expect.objectContaining({ type: 'service' }),
          data: expect.objectContaining({
            id: second.id,
            status: 'created',
            plan_schedule_id: scheduleId,
            space_name: 'Berlin',
            title: second.title,
            headline: second.headline,
            actions: second.actions,
            previous: second.previous.conclusion,
            floor_count: second.floors.length,
          }),
        },
      ])
      expect(JSON.stringify(events[0]?.data.floors)).not.toContain('actual')
    })

    it('is listed by space and day, for its workspace only', async () => {
      const list = await read(`plans?space_id=${berlin}&since=${nextDay}&until=2025-05-23`)
      expect(list).toEqual([expect.objectContaining({ id: second.id, headline: second.headline })])
      expect(list[0]).not.toHaveProperty('floors')
      const foreign = await harness.call('GET', `${workplace}/plans/${second.id}`, { as: harness.stranger })
      expect(foreign.status).toBe(404)
    })

    it('closes the site on a holiday', async () => {
      const { plan_id: id } = await run(scheduleId, '2025-05-29')
      expect(await read(`plans/${id}`)).toMatchObject({
        rest_day: { reason: 'holiday' },
        expected: { mean: 0, source: 'rest_day' },
        meals: { expected: 0 },
        headline: expect.stringMatching(/^Berlin is closed on Thursday 29 May, because it is /),
      })
    })

    it('keeps the floors closed that a scenario frees', async () => {
      // One floor has room for all.
      const capacity = floorIds.map((space_id) => ({ space_id, capacity: 200 }))
      const body = { name: 'Fridays', forecast_run_id: teamRun.id, space_id: berlin, changes: { capacity } }
      const { body: created } = await harness.call('POST', `${workplace}/scenarios`, { body })
      await harness.waitForEnd(created.data.id)
      const { result } = await read(`scenarios/${created.data.id}`)
      const friday = result.free.filter(({ weekdays }: { weekdays: string[] }) => weekdays.includes('fri'))
      await change(scheduleId, { scenario_id: created.data.id })
      const { plan_id: id } = await run(scheduleId, '2025-05-23')
      const plan = await read(`plans/${id}`)
      expect(friday.length).toBeGreaterThan(0)
      for (const { space_id: floorId } of friday) {
        const floor = plan.floors.find(({ space_id: own }: { space_id: string }) => own === floorId)
        expect(floor).toMatchObject({ is_closed: true, heating: null, advice: expect.stringContaining('“Fridays”') })
      }
      expect(plan.actions[0]).toMatchObject({ kind: 'close', text: expect.stringContaining('“Fridays”') })
      const restOnDeleted = '[{"id": "ds_gone", "name": "Doors"}]'
      const add = `jsonb_set(result, '{rests_on}', (result -> 'rests_on') || '${restOnDeleted}')`
      await harness.rows(`UPDATE platform.jobs SET result = ${add} WHERE result ? 'rests_on'`)
      const { plan_id: laterId } = await run(scheduleId, '2025-05-30')
      const later = await read(`plans/${laterId}`)
      const list = await read('scenarios')
      await harness.rows(`UPDATE platform.jobs SET result = result #- '{rests_on,-1}' WHERE result ? 'rests_on'`)
      expect(later.forecast_run_id).toBeNull()
      expect(later.warnings[0]).toMatch(
        /^Stale: the dataset "Doors" was deleted .* does not use it\. Forecast again\.$/,
      )
      expect(later.warnings.join()).toContain('the dataset "Doors" was deleted after it was made. Compute it again.')
      expect(JSON.stringify(later)).not.toContain('“Fridays”')
      expect(list.map(({ stale }: { stale: boolean }) => stale)).not.toContain(false)
      expect((await read('scenarios')).map(({ stale }: { stale: boolean }) => stale)).not.toContain(true)
      // It cannot be deleted while a schedule follows it.
      const remove = () => harness.call('DELETE', `${workplace}/scenarios/${created.data.id}`)
      expect(await remove()).toMatchObject({ status: 409, body: { detail: expect.stringContaining(scheduleId) } })
      await change(scheduleId, { scenario_id: null })
      expect(await remove()).toMatchObject({ status: 200, body: { data: { id: created.data.id } } })
      expect((await remove()).status).toBe(404)
    })

    it('leaves no day out of what is usual for a reader that was taken away', async () => {
      await harness.rows(
        `INSERT INTO reader_gaps (workspace_id, dataset_id, value_id, since, until, expected_rows)
         SELECT workspace_id, dataset_id, value_id, '2025-03-01', '2025-05-22', 100
         FROM dataset_values WHERE role = 'space' ON CONFLICT DO NOTHING`,
      )
      const { plan_id: id } = await run(scheduleId, dateOf(dayOf(lastDay) - 7))
      await harness.rows(`DELETE FROM reader_gaps WHERE since = '2025-03-01'`)
      expect(await read(`plans/${id}`)).toMatchObject({ expected: { source: 'profile' } })
    })
  })
}
