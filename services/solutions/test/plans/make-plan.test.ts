import { describe, expect, it } from '@jest/globals'
import { daysByMeasure } from '../../src/plans/input/choose-measure.ts'
import { makePlan } from '../../src/plans/make-plan.ts'
import { shownSpaceDay } from '../../src/utilization/shown-day.ts'
import { dayOf, emptyHours, inputOf, spaceOf } from './made-plan.ts'

const forecast = (mean: number, upper: number) => ({ mean, lower: mean / 2, upper })
/** Of 100 people 80 are there from 9 to 16 o'clock, and 4 at 8 and at 17 o'clock. */
const usual = dayOf(100, { ...emptyHours, 8: 4, 9: 80, 10: 80, 11: 80, 12: 80, 13: 80, 14: 80, 15: 80, 16: 80, 17: 4 })
const floor = (name: string, mean: number, upper: number, more: object = {}) =>
  spaceOf(name, { capacity: 120, forecast: forecast(mean, upper), days: [usual], ...more })
const site = spaceOf('Berlin', { capacity: 360, forecast: forecast(152.4, 171.3), days: [usual] })
const textsOf = (kind: string, { content }: ReturnType<typeof makePlan>) =>
  content.actions.filter((action) => action.kind === kind).map(({ text }) => text)

describe('a plan', () => {
  it('begins with a sentence to read aloud, and a title for a list of mails', () => {
    const plan = makePlan(inputOf({ site, floors: [floor('Floor 1', 130, 148), floor('Floor 2', 0.1, 0.4)] }))
    expect(plan.headline).toBe(
      'About 152 people are expected in Berlin on Tuesday 3 March, at most 171; 1 of 2 floors stays closed.',
    )
    expect(plan.title).toBe('Plan for Tuesday 3 March: Berlin, about 152 people, 1 floor closed')
  })

  it('orders meals for the share of people who eat, rounded up, and for nine days in ten at most', () => {
    // 152 × 0.6 = 91.2 and 171 × 0.6 = 102.6.
    const plan = makePlan(inputOf({ site, floors: [] }))
    expect(plan.content.meals).toEqual({
      expected: 92,
      at_most: 103,
      arithmetic: '152 people × 60 % = 92 meals; 171 people × 60 % = at most 103',
    })
    expect(textsOf('cater', plan)).toEqual(['Order 92 meals, at most 103.'])
    // 150 × 0.7 is 105.00000000000001 in floating point.
    const exact = inputOf({ site: spaceOf('Berlin', { forecast: forecast(150, 150) }) })
    const parameters = { ...exact.parameters, meal_share: 0.7 }
    expect(makePlan({ ...exact, parameters }).content.meals?.expected).toBe(105)
  })

  it('heats and ventilates each floor from the first to the last hour with enough people, within opening hours', () => {
    // Floor 1: 130 × 0.04 = 5.2 people at 8 and 17, so from 8:00 to 18:00; heated from 7:00, ventilated 7:30 to 18:30.
    // Floor 2: 50 × 0.04 = 2 people at 8, so from 9:00 to 17:00; heated from 8:00, ventilated 8:30 to 17:30.
    // Floor 3: 5 × 0.8 = 4 people at most: never.
    const floors = [floor('Floor 1', 130, 148), floor('Floor 2', 50, 60), floor('Floor 3', 5, 7)]
    const plan = makePlan(inputOf({ site, floors }))
    const [first, second, third] = plan.content.floors
    expect(first).toMatchObject({
      heating: { from: '07:00', to: '18:00' },
      ventilation: { from: '07:30', to: '18:30' },
      peak: { start: '09:00', people: 104 },
    })
    expect(second).toMatchObject({
      heating: { from: '08:00', to: '17:00' },
      ventilation: { from: '08:30', to: '17:30' },
    })
    expect(third).toMatchObject({ heating: null, ventilation: null, is_closed: false })
    // 11 h + 9 h of 3 × 13 h.
    expect(plan.content.heating).toEqual({
      floor_hours: 20,
      arithmetic: '1 floor × 11 h + 1 floor × 9 h = 20 h of 39 h in which the floors are open',
    })
    expect(textsOf('heat', plan)).toEqual([
      'Heat Floor 1 from 07:00 to 18:00; Floor 2 from 08:00 to 17:00. That is 20 floor-hours.',
    ])
    const early = makePlan(
      inputOf({ site, floors, parameters: { ...inputOf().parameters, heating_lead_minutes: 600 } }),
    )
    expect(early.content.floors[0]?.heating).toEqual({ from: '07:00', to: '18:00' })
  })

  it('runs a floor as long as it is open where no times are measured or no figures are shown, and says so', () => {
    const floors = [floor('Floor 1', 130, 148, { days: [] }), spaceOf('Floor 2'), floor('Floor 3', 3, 4, { days: [] })]
    const { content } = makePlan(inputOf({ site: { ...site, days: [] }, floors }))
    const all = { from: '07:00', to: '20:00' }
    expect(content.floors.map(({ heating }) => heating)).toEqual([all, all, null])
    expect(content.floors[1]).toMatchObject({
      expected: null,
      advice: 'There are no figures of it: run and clean it as usual.',
      cleaning_minutes: null,
    })
    expect(content.warnings).toEqual([
      'No figures are known or shown of Floor 2: run and clean as usual.',
      'No times are measured, so floors are heated and ventilated as long as they are open.',
    ])
  })

  it('cleans the floors with enough people, by minutes of each person', () => {
    // 130.4 × 1.5 = 195.6 and 50 × 1.5 = 75.
    const floors = [floor('Floor 1', 130.4, 148), floor('Floor 2', 50, 60), floor('Floor 3', 0.6, 2)]
    const plan = makePlan(inputOf({ site, floors }))
    expect(plan.content.floors.map(({ cleaning_minutes: minutes }) => minutes)).toEqual([196, 75, null])
    expect(plan.content.cleaning).toEqual({
      minutes: 271,
      floors: 2,
      arithmetic: '180 people on 2 floors × 1.5 minutes, rounded up by floor = 271 minutes',
    })
    expect(textsOf('clean', plan)).toEqual([
      'Clean Floor 1 and Floor 2 this evening: 271 minutes. No other floor needs it.',
    ])
  })

  it('keeps floors closed that a scenario frees, and tells if the people find places elsewhere', () => {
    const scenario = { name: 'Tuesdays', freeIds: new Set(['Floor 2']) }
    const floors = [floor('Floor 1', 130, 148), floor('Floor 2', 23, 30), floor('Floor 3', 60, 75)]
    const plan = makePlan(inputOf({ site, floors, scenario }))
    expect(plan.content.floors[1]).toMatchObject({
      is_closed: true,
      heating: null,
      ventilation: null,
      cleaning_minutes: null,
      advice: 'Keep it closed: the scenario “Tuesdays” frees it on Tuesdays.',
    })
    expect(plan.content.floors.map(({ moved_people: moved }) => moved)).toEqual([0.6, -23, 22.4])
    expect(plan.content.floors[2]?.advice).toMatch(/ About 22 people of closed floors sit here as well\.$/)
    // The 23 people are cleaned for on the other floors, by free places: 130.6 × 1.5 and 82.4 × 1.5 minutes.
    expect(plan.content.cleaning).toEqual({
      minutes: 320,
      floors: 2,
      arithmetic:
        '213 people on 2 floors, 23 of them of closed floors, × 1.5 minutes, rounded up by floor = 320 minutes',
    })
    // Busiest: 148 × 0.8 = 118.4 of 120, and 75 × 0.8 = 60 of 120: 1 + 60 places are free.
    expect(textsOf('close', plan)).toEqual([
      'Keep Floor 2 closed: the scenario “Tuesdays” frees it on Tuesdays. About 23 people usually come there on such a day; the open floors, with up to 178 people of their own, have 61 free places.',
    ])
    const full = [floor('Floor 1', 130, 148), floor('Floor 2', 23, 30)]
    const short = makePlan(inputOf({ site, floors: full, scenario }))
    expect(textsOf('close', short)[0]).toContain(
      'and the open floors, with up to 118 people of their own, have only 1 free place: open one floor again.',
    )
    expect(plan.headline).toMatch(/; 1 of 3 floors stays closed\.$/)
    expect(short.headline).toMatch(/; 1 of 2 floors stays closed, but one must open again\.$/)
    expect(short.title).toMatch(/, 1 floor closed, but one must open again$/)
  })

  // Busiest: 80 % of the last number. 40 people move; 10 are cleaned for in 15 minutes.
  it.each<[string, [number, number, number | null][], (number | null)[], string]>([
    [
      'as many as fit',
      [
        [50, 50, 100],
        [20, 50, 100],
      ],
      [105, 60],
      '110 people on 2 floors, 40 of them of closed floors,',
    ],
    [
      'more than fit, by those expected',
      [
        [90, 100, 81],
        [30, 100, null],
      ],
      [181, 60],
      '160 people on 2 floors, 40 of them of closed floors, of whom 39 beyond the free places that are known,',
    ],
    [
      'all, where no place is free',
      [
        [60, 150, 120],
        [20, 150, 120],
      ],
      [135, 45],
      '120 people on 2 floors, 40 of them of closed floors, of whom 40 beyond the free places that are known,',
    ],
    [
      'all, where no capacity is known',
      [
        [60, 75, null],
        [20, 75, null],
      ],
      [135, 45],
      '120 people on 2 floors, 40 of them of closed floors, of whom 40 beyond the free places that are known,',
    ],
    ['all, where no open floor has figures', [], [], '40 people of closed floors, on other floors,'],
  ])('cleans for people of freed floors: %s', (_, hosts, minutes, people) => {
    const open = hosts.map(([mean, upper, capacity], at) => floor(`Floor ${at + 2}`, mean, upper, { capacity }))
    const floors = [floor('Floor 1', 40, 50), ...open, spaceOf('Floor 9')]
    const scenario = { name: 'Tuesdays', freeIds: new Set(['Floor 1']) }
    const { content } = makePlan(inputOf({ site, floors, scenario }))
    expect(content.floors.slice(1, -1).map((one) => one.cleaning_minutes)).toEqual(minutes)
    const sum = hosts.length === 0 ? 60 : minutes.reduce<number>((total, one) => total + (one ?? 0), 0)
    expect(content.cleaning.minutes).toBe(sum)
    expect(content.cleaning.arithmetic).toBe(`${people} × 1.5 minutes, rounded up by floor = ${sum} minutes`)
    if (hosts.length === 0)
      expect(content.actions.find(({ kind }) => kind === 'clean')?.text).toBe(
        'Clean where the people of closed floors sit: 60 minutes. Clean Floor 9 as usual. No other floor needs it.',
      )
  })

  it('keeps a floor closed when on nine days in ten no one comes', () => {
    const [empty, used] = makePlan(inputOf({ site, floors: [floor('Floor 1', 0.1, 0.4), floor('Floor 2', 0.2, 0.6)] }))
      .content.floors
    expect([empty?.is_closed, used?.is_closed]).toEqual([true, false])
  })

  it('names a floor that may be too full in its fullest hour', () => {
    // 151 × 0.8 = 120.8 people for 120 places.
    const plan = makePlan(inputOf({ site, floors: [floor('Floor 1', 130, 151)] }))
    expect(textsOf('watch', plan)).toEqual(['Floor 1 may be too full at 09:00: up to 121 people for 120 places.'])
    // 120.48 people are 120 in the sentence, for as many places.
    expect(textsOf('watch', makePlan(inputOf({ site, floors: [floor('Floor 1', 130, 150.6)] })))).toEqual([])
  })

  it('closes everything on a holiday, and on a weekday on which nothing is open', () => {
    const floors = [floor('Floor 1', 130, 148)]
    const holiday = makePlan(
      inputOf({ site, floors, restDay: { reason: 'holiday', name: 'Internationaler Frauentag' } }),
    )
    expect(holiday.headline).toBe('Berlin is closed on Tuesday 3 March, because it is Internationaler Frauentag.')
    expect(holiday.content).toMatchObject({
      meals: { expected: 0, at_most: 0 },
      cleaning: { minutes: 0 },
      heating: { floor_hours: 0 },
      actions: [{ kind: 'close', text: 'Order no meals, and do not heat, ventilate or clean: Berlin is closed.' }],
    })
    const saturday = makePlan(
      inputOf({ site, floors, date: '2026-03-07', restDay: { reason: 'not_open', name: null } }),
    )
    expect(saturday.headline).toBe('Berlin is not open on Saturday 7 March.')
  })

  it('tells of floors that were used although the plan before kept them closed', () => {
    const used = [{ name: 'Floor 2', date: '2026-03-02' }]
    const plan = makePlan(inputOf({ site, floors: [floor('Floor 1', 130, 148)], usedWhileClosed: used }))
    expect(textsOf('clean', plan)).toContain('Clean Floor 2 as well: planned as closed on Monday, but used.')
  })

  it('says what is not known instead of guessing', () => {
    const plan = makePlan(inputOf({ floors: [spaceOf('Floor 1')] }))
    expect(plan).toMatchObject({
      title: 'Plan for Tuesday 3 March: Berlin, no figures',
      headline: 'How many people come to Berlin on Tuesday 3 March is not known.',
      content: { expected: null, meals: null, peak: null },
    })
    expect(plan.content.warnings[0]).toContain('neither a forecast nor enough days')
  })

  it('plans the most people at once where counters see more of them than badges name', () => {
    // 30 people from 9 to 16 o'clock; the hours before are withheld, since fewer than 5 were there.
    const level = Array.from({ length: 24 }, (_, hour) => (hour >= 9 && hour < 17 ? 30 : 0))
    const counted = (attendance: number | null, source: string) => ({
      spaceId: 'Floor 1',
      day: '2026-02-24',
      attendance,
      attendanceSource: null,
      source,
      openHours: 0x1f_ff80,
      headcount: null,
      isRaised: false,
      isSuppressed: false,
      suppressedHours: 0,
      suppressedLevels: 0x180,
      hourlyAttendance: [],
      hourlyAverage: level,
      hourlyPeak: level,
    })
    const daysOf = (attendance: number | null, source = 'counts') =>
      daysByMeasure(Array.from({ length: 4 }, () => shownSpaceDay(counted(attendance, source), 5)))
    const floor = spaceOf('Floor 1', { capacity: 40, ...daysOf(null) })
    const { content, headline } = makePlan(inputOf({ site: spaceOf('Berlin', daysOf(12)), floors: [floor] }))
    expect(content.floors[0]).toMatchObject({
      expected: { mean: 30, source: 'profile', measure: 'peak' },
      advice: 'About 30 people at once by its counters, at most 30, on 40 places; fullest at 09:00.',
      cleaning_minutes: 45,
    })
    expect(headline).toMatch(/^About 30 people are expected at once in Berlin/)
    expect(content.warnings).toEqual([
      'People counters tell how many are in Berlin and Floor 1 at once, and not who came: the people planned there are the most at a moment, and more may come over the day.',
    ])
    expect([daysOf(45).measure, daysOf(null, 'bookings').measure]).toEqual(['attendance', 'attendance'])
  })
})
