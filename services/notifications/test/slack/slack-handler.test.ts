import { describe, expect, it } from '@jest/globals'
import { webhookEvents } from '@wp/contracts'
import { planDetails } from '../../src/catalog/plan-details.ts'
import { slackMessage } from '../../src/slack/slack-handler.ts'

const { WORKPLACE_PLAN_CREATED: planCreated } = webhookEvents
const example = planCreated.data.parse(planCreated.example)
const messageOf = (data: Record<string, unknown>) =>
  slackMessage({ title: 'Plan', body: 'About 152 people.', details: planDetails(data) })

it('writes times for people in Slack messages', () => {
  const body = 'Deliveries have failed since 2026-11-29T20:52:00.000Z.'
  expect(slackMessage({ title: 'Webhook', body, details: null })).toContain('since 29 Nov 2026, 20:52 UTC.')
})

describe('the Slack message of a daily plan', () => {
  it('lists what to do, then each floor on a line', () => {
    expect(messageOf(example)).toBe(
      [
        ...['*Plan*', 'About 152 people.', '', '*To do*'],
        '• Keep Floor 2 closed: the scenario “Tuesdays” frees it on Tuesdays.',
        '• Order 92 meals, at most 103.',
        '• Heat Floor 1 from 07:00 to 18:00. That is 11 floor-hours.',
        ...['', '*Floors*'],
        '• *Floor 1*: people (most) 130 (148), heating 07:00–18:00, cleaning 196 min',
        '• *Floor 2 (closed)*: people (most) 23 (31), heating off',
      ].join('\n'),
    )
  })

  it('counts the floors that it has no room for, and mentions no one', () => {
    const [floor] = example.floors
    const floors = Array.from({ length: 25 }, (_, at) => ({ ...floor, name: `<!channel> ${at}` }))
    const message = messageOf({ ...example, floors, floor_count: 70 })
    expect(message.match(/^• \*&lt;!channel&gt; \d+\*/gm)).toHaveLength(20)
    expect(message).toContain('… and 5 more\n… and 45 more floors in the plan.')
    expect(message).not.toContain('<')
  })

  it('has no details where the payload is not that of a plan', () => {
    expect(planDetails({ id: 'x' })).toEqual([])
  })
})
