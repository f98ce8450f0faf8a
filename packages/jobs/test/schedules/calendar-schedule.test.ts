import { afterAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { startDataDeletion } from '../../src/data-deletion/workspace-deletion.ts'
import { listNextRuns, type NewSchedule, removeSchedule } from '../../src/index.ts'
import { addDays } from '../../src/schedules/local-clock.ts'
import { openTestEnvironment } from '../fixture/test-environment.ts'
import { callerIn } from '../fixture/test-jobs.ts'
import { createPass, listDates, planQueue, put, type TestClock } from './fixture.ts'

const environment = await openTestEnvironment()
afterAll(() => environment.close())

/** A workspace with a schedule at 06:00 in Berlin, at 05:00 UTC in winter, that ran last on Monday, 9 November 2026. */
async function createRunSchedule(schedule: Partial<NewSchedule> = {}) {
  const workspaceId = newId('ws')
  const clock: TestClock = { now: new Date('2026-11-08T12:00:00Z') }
  const pass = createPass(environment, environment.database, clock)
  const putNow = (changes: Partial<NewSchedule> = {}) =>
    put(environment, workspaceId, clock.now, { ...schedule, ...changes })
  await putNow()
  clock.now = new Date('2026-11-09T06:00:00Z')
  await pass.untilIdle()
  return {
    workspaceId,
    clock,
    putNow,
    run: () => pass.untilIdle(),
    dates: async () => (await listDates(environment, workspaceId)).plans,
  }
}

describe('a calendar schedule', () => {
  it('runs first at the next local time to come', async () => {
    const workspaceId = newId('ws')
    const putAt = (now: string) => put(environment, workspaceId, new Date(now), { resourceId: now })
    expect(await putAt('2026-11-09T04:59:00Z')).toEqual({ at: new Date('2026-11-09T05:00:00Z'), date: '2026-11-09' })
    expect(await putAt('2026-11-09T05:00:00Z')).toEqual({ at: new Date('2026-11-10T05:00:00Z'), date: '2026-11-10' })
  })

  /** Now it is 07:00 on 9 November in Berlin, and the schedule ran at 06:00. */
  it.each<[string, Partial<NewSchedule>, string, string]>([
    ['unchanged', {}, '2026-11-10', '2026-11-10T05:00'],
    ['put to a time before', { localTime: '05:00' }, '2026-11-10', '2026-11-10T04:00'],
    ['put to a later time of the same day', { localTime: '08:00' }, '2026-11-10', '2026-11-10T07:00'],
    ['put to a zone in the east', { timezone: 'Asia/Tokyo' }, '2026-11-10', '2026-11-09T21:00'],
    ['put to a zone in the west', { timezone: 'America/Los_Angeles' }, '2026-11-10', '2026-11-10T14:00'],
    ['put to other weekdays', { weekdays: ['mon', 'thu'] }, '2026-11-12', '2026-11-12T05:00'],
  ])('neither repeats the date of its last run nor skips the next one when %s', async (_how, changes, date, at) => {
    const { putNow, dates, run } = await createRunSchedule()
    expect(await putNow(changes)).toEqual({ at: new Date(`${at}:00Z`), date })
    await run()
    expect(await dates()).toEqual(['2026-11-09'])
  })

  it('runs at once when its time is put to one that has passed and the date has not run', async () => {
    const { clock, putNow, run, dates } = await createRunSchedule()
    clock.now = new Date('2026-11-10T04:30:00Z')
    expect(await putNow({ localTime: '05:00' })).toEqual({ at: new Date('2026-11-10T04:00:00Z'), date: '2026-11-10' })
    await run()
    expect(await dates()).toEqual(['2026-11-09', '2026-11-10'])
  })

  it('runs on an earlier date than before when weekdays are added', async () => {
    const { putNow } = await createRunSchedule({ weekdays: ['mon'] })
    expect((await putNow({ weekdays: ['mon', 'wed'] }))?.date).toBe('2026-11-11')
  })

  it('remembers the last date while it is paused, and makes up for none', async () => {
    const { workspaceId, clock, putNow, run, dates } = await createRunSchedule()
    expect(await putNow({ isPaused: true })).toBeNull()
    const next = () =>
      environment.database.read({ workspaceId }, (_db, query) =>
        listNextRuns(query, { workspaceId, queue: planQueue, resourceIds: ['plans', 'other'] }),
      )
    expect(await next()).toEqual(new Map())
    expect((await putNow({ localTime: '09:00' }))?.date).toBe('2026-11-10')
    await putNow({ isPaused: true })
    clock.now = new Date('2026-11-12T12:00:00Z')
    await run()
    expect((await putNow())?.date).toBe('2026-11-13')
    expect(await next()).toEqual(new Map([['plans', new Date('2026-11-13T05:00:00Z')]]))
    expect(await dates()).toEqual(['2026-11-09'])
  })

  it('runs the latest missed date only, and logs the number of the others', async () => {
    const { workspaceId, clock, run, dates } = await createRunSchedule({
      weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'],
    })
    clock.now = new Date('2026-11-17T08:00:00Z')
    await run()
    expect(await dates()).toEqual(['2026-11-09', '2026-11-17'])
    const skipped = { event: 'schedule.dates_skipped', workspaceId, schedules: 1, dates: 5 }
    expect(environment.log.entries).toContainEqual(expect.objectContaining(skipped))
  })

  it('runs each date once when it is changed while a replica claims it', async () => {
    const { clock, putNow, run, dates } = await createRunSchedule()
    const days = 30
    for (let day = 1; day < days; day += 1) {
      clock.now = new Date(clock.now.getTime() + 86_400_000)
      await Promise.all([run(), putNow({ localTime: day % 2 === 0 ? '02:00' : '05:30' })])
      await run()
    }
    expect(await dates()).toEqual(Array.from({ length: days }, (_, day) => addDays('2026-11-09', day)))
  })

  it('waits for its time when the rules of its zone have changed since it was put', async () => {
    const { workspaceId, clock, run, dates } = await createRunSchedule()
    clock.now = new Date('2026-11-10T04:30:00Z')
    await environment.queryAsAdmin('UPDATE platform.schedules SET next_at = $2 WHERE workspace_id = $1', [
      workspaceId,
      new Date('2026-11-10T04:00:00Z'),
    ])
    await run()
    expect(await dates()).toEqual(['2026-11-09'])
    clock.now = new Date('2026-11-10T05:00:00Z')
    await run()
    expect(await dates()).toEqual(['2026-11-09', '2026-11-10'])
  })

  it('runs no more when it is removed, nor when the deletion of its workspace starts', async () => {
    for (const end of ['removal', 'deletion']) {
      const { workspaceId, clock, run, dates } = await createRunSchedule()
      await environment.database.transact(callerIn(workspaceId), async (tx) => {
        if (end === 'removal') await removeSchedule(tx, { queue: planQueue, resourceId: 'plans' })
        else await startDataDeletion(tx, { deletionId: newId('wdel'), workspaceId, shard: 'test' }, 60_000)
      })
      clock.now = new Date('2026-11-10T12:00:00Z')
      await run()
      expect(await dates()).toEqual(['2026-11-09'])
    }
  })

  it('is refused with an invalid time, zone or weekday', async () => {
    const workspaceId = newId('ws')
    const now = new Date('2026-11-09T06:00:00Z')
    await expect(put(environment, workspaceId, now, { localTime: '24:00' })).rejects.toThrow('local_time')
    await expect(put(environment, workspaceId, now, { timezone: 'Mars/Olympus' })).rejects.toThrow(RangeError)
    await expect(put(environment, workspaceId, now, { weekdays: [] })).rejects.toThrow('weekdays')
  })
})
