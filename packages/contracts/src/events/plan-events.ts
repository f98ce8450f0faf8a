import { z } from 'zod'
import { event } from '../core/event.ts'
import { PlanAction } from '../solutions/workplace/plan-shapes.ts'
import { payloadExample, payloadFields } from './payload.ts'

/** Floors in the payload of one event; the plan itself has all. */
export const maxEventFloors = 60

const window = z
  .object({
    from: z.string().describe('Local time of day'),
    to: z.string().describe('Local time of day'),
  })
  .nullable()

/** The events of daily plans. The payload is enough to act on without reading the plan. */
export const planEvents = {
  WORKPLACE_PLAN_CREATED: event({
    kind: 'WORKPLACE_PLAN_CREATED',
    producer: 'solutions',
    summary: 'The daily plan of a site or building was made',
    isSubscribable: true,
    data: z.object({
      ...payloadFields('created'),
      plan_schedule_id: z.string().describe('The schedule that made the plan'),
      space_id: z.string().describe('The site or building'),
      space_name: z.string().describe('Its name'),
      date: z.string().describe('Local day that is planned'),
      title: z.string().describe('Day, place and expected people in a line'),
      headline: z.string().describe('The plan in a sentence'),
      actions: z.array(PlanAction).describe('Things to do on the day, most urgent first'),
      // at most 60
      floors: z
        .array(
          z.object({
            space_id: z.string().describe('The floor'),
            name: z.string().describe('Its name'),
            expected: z.number().nullable().describe('Different people of the day; null without figures'),
            at_most: z.number().nullable().describe('One in ten such days has more people; null without figures'),
            is_closed: z.boolean().describe('True if the plan keeps the floor closed'),
            heating: window.describe('When to heat; null: not at all'),
            ventilation: window.describe('When to ventilate; null: not at all'),
            cleaning_minutes: z.number().nullable().describe('Minutes of cleaning; null: none'),
          }),
        )
        .describe('The plan of each floor, 60 at most'),
      floor_count: z.number().describe('Number of all floors of the plan'),
      // how the plan before did; null for the first one
      previous: z
        .string()
        .nullable()
        .describe('How many people came on the day of the plan before, in sentences; null for the first plan'),
      warnings: z.array(z.string()).describe('What the plan does not know, in sentences'),
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
          space_id: 'spc_01h455vb4pex5vsknk084sn02r',
          name: 'Floor 1',
          expected: 130.4,
          at_most: 148.2,
          is_closed: false,
          heating: { from: '07:00', to: '18:00' },
          ventilation: { from: '07:30', to: '18:30' },
          cleaning_minutes: 196,
        },
        {
          space_id: 'spc_01h455vb4pex5vsknk084sn02s',
          name: 'Floor 2',
          expected: 23.1,
          at_most: 30.6,
          is_closed: true,
          heating: null,
          ventilation: null,
          cleaning_minutes: null,
        },
      ],
      floor_count: 2,
      previous: '160 people came on Monday, 8 more than planned (5 %). Over the last 12 plans the error was 6.1 %.',
      warnings: [],
    }),
  }),
} as const
