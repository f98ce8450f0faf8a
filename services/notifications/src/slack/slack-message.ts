import { forReader } from '../catalog/notification-text.ts'
import type { DetailBlock, NotificationDetails } from '../catalog/plan-details.ts'

/** Rows of a table; the others are counted. A message should have at most 4,000 characters. */
const maxRows = 20

/** Renders a notification as the text of a Slack message. Texts of users cannot mention anyone or become links. */
export function slackMessage({ title, body, details }: { title: string; body: string; details: unknown }): string {
  const blocks = (details ?? []) as NotificationDetails // written by the fan-out alone
  return [
    `*${escapeSlack(title)}*`,
    escapeSlack(forReader(body, { locale: null, timezone: null })),
    ...blocks.map(renderBlock),
  ].join('\n')
}

/** Escapes the control characters of Slack's markup (https://docs.slack.dev/messaging/formatting-message-text). */
const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function renderBlock(block: DetailBlock): string {
  if ('heading' in block) return `\n*${escapeSlack(block.heading)}*`
  if ('text' in block) return escapeSlack(block.text)
  if ('list' in block) return block.list.map((item) => `• ${escapeSlack(item)}`).join('\n')
  const { columns, rows } = block.table
  const lines = rows.slice(0, maxRows).map((row) => {
    const [first = '', ...cells] = row.map(escapeSlack)
    // A phone has no room for columns, and an empty cell says nothing.
    const named = cells.flatMap((cell, at) => (cell === '–' ? [] : `${columns[at + 1]?.label.toLowerCase()} ${cell}`))
    return `• *${first}*: ${named.length === 0 ? '–' : named.join(', ')}`
  })
  return [...lines, ...(rows.length > maxRows ? [`… and ${rows.length - maxRows} more`] : [])].join('\n')
}
