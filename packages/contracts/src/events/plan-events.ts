import { z } from 'zod'
import { event } from '../core/event.ts'
import { planActionKinds } from '../solutions/workplace/plan-shapes.ts'
import { payloadExample, payloadFields } from './payload.ts'

/** Floors in the payload of one event; the plan itself has all. */
export const maxEventFloors = 60

const window = z.object({ from: z.string(), to: z.string() }).nullable()

/** The events of daily plans. The payload is enough to act on without reading the plan. */
export const planEvents = {
  WORKPLACE_PLAN_CREATED: event({
    kind: 'WORKPLACE_PLAN_CREATED',
    producer: 'solutions',
    summary: 'The daily plan of a site or building was made',
    isSubscribable: true,
    data: z.object({
      ...payloadFields('created'),
      plan_schedule_id: z.string(),
      space_id: z.string(),
      space_name: z.string(),
      date: z.string(),
      title: z.string(),
      headline: z.string(),
      actions: z.array(z.object({ kind: z.enum(planActionKinds), text: z.string() })),
      // at most 60
      floors: z.array(
        z.object({
          space_id: z.string(),
          name: z.string(),
          expected: z.number().nullable(),
          at_most: z.number().nullable(),
          is_closed: z.boolean(),
          heating: window,
          ventilation: window,
          cleaning_minutes: z.number().nullable(),
        }),
      ),
      floor_count: z.number(),
      // how the plan before did; null for the first one
      previous: z.string().nullable(),
      warnings: z.array(z.string()),
    }),
    example: payloadExample('dpl_01h455vb4pex5vsknk084sn02q', 'created', {
      plan_schedule_id: 'pls_01h455vb4pex5vsknk084sn02q',
      space_id: 'spc_01h455vb4pex5vsknk084sn02q',
      space_name: 'Berlin',
      date: '2026-03-03',
      title: 'Plan for Tuesday 3 March: Berlin, about 152 people, 1 floor closed',
      headline: 'About 152 people are expected in Berlin on Tuesday 3 March, at most 171; 1 of 2 floors stays closed.',
      actions: [
        { kind: 'close', text: 'Keep Floor 2 closed: the scenario “Tuesdays” frees it on Tuesdays.' },
        { kind: 'cater', text: 'Order 92 meals, at most 103.' },
        { kind: 'heat', text: 'Heat Floor 1 from 07:00 to 18:00. That is 11 floor-hours.' },
      ],
      floors: [
        {
          ...{ space_id: 'spc_01h455vb4pex5vsknk084sn02r', name: 'Floor 1', expected: 130.4, at_most: 148.2 },
          ...{ is_closed: false, heating: { from: '07:00', to: '18:00' }, ventilation: { from: '07:30', to: '18:30' } },
          cleaning_minutes: 196,
        },
        {
          ...{ space_id: 'spc_01h455vb4pex5vsknk084sn02s', name: 'Floor 2', expected: 23.1, at_most: 30.6 },
          ...{ is_closed: true, heating: null, ventilation: null, cleaning_minutes: null },
        },
      ],
      floor_count: 2,
      previous: '160 people came on Monday, 8 more than planned (5 %). Over the last 12 plans the error was 6.1 %.',
      warnings: [],
    }),
  }),
} as const
