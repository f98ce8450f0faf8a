/** Escapes the control characters of Slack's markup (https://docs.slack.dev/messaging/formatting-message-text). */
const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Renders a notification as the text of a Slack message. Texts of users cannot mention anyone or become links. */
export const slackMessage = ({ title, body }: { title: string; body: string }): string =>
  `*${escapeSlack(title)}*\n${escapeSlack(body)}`
