import { generated } from './generate-chain.ts'

/** Returns the query parameters of the measured pages, by description. */
export function pageQueries(now: Date): Record<string, string> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString()
  const month = `since=${daysAgo(400)}&until=${daysAgo(370)}`
  const { frequentActor, rareActor, frequentAction, rareAction, frequentTarget, rareTarget } = generated
  return {
    newest: '',
    'a month a year ago': month,
    'frequent actor': `actor=${frequentActor}`,
    'rare actor': `actor=${rareActor}`,
    'frequent action': `action=${frequentAction}`,
    'rare action': `action=${rareAction}`,
    'outcome success': 'outcome=success',
    'outcome failure': 'outcome=failure',
    'frequent target': `target=${frequentTarget}`,
    'rare target': `target=${rareTarget}`,
    'frequent target, a month a year ago': `target=${frequentTarget}&${month}`,
    'actor and outcome, a month a year ago': `actor=${frequentActor}&outcome=failure&${month}`,
    'rare actor and rare action, never together': `actor=${rareActor}&action=${rareAction}`,
    'frequent actor and a rare action': `actor=${frequentActor}&action=${rareAction}`,
    'an unknown actor': 'actor=usr_unknown',
  }
}
