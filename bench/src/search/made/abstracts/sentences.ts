/** Templates of abstracts. `{up}` and the like are verbs of the direction of the finding. */
export const titles = {
  full: [
    '{agent} and {outcome} in {condition}',
    'Effect of {agent} on {outcome} in {condition}',
    '{agent} {acts} {outcome} in {population} with {condition}',
    'The role of {agent} in {condition}: {outcome} in {population}',
    '{condition} and {agent}: a study of {outcome}',
  ],
  agentOnly: ['New roles of {agent}', '{agent} revisited: {design}', 'Regulation by {agent} through {pathway}'],
  conditionOnly: [
    'Progress in {condition}',
    '{outcome} in {condition}: {design}',
    'Targets for the therapy of {condition}',
  ],
  vague: ['An unexpected mediator', 'Old molecule, new tricks', 'Results of {design}', 'Beyond {other}'],
} as const

export const backgrounds: readonly string[] = [
  '{condition} is a leading cause of disability worldwide.',
  'The pathogenesis of {condition} is incompletely understood.',
  'Current treatment of {condition} is limited by side effects.',
  '{other} has been implicated in {condition}, but its clinical relevance is uncertain.',
  'Although {other} and {another} are well characterized, less is known about {agent}.',
  '{agent} is expressed in many tissues and regulates diverse processes.',
  'Earlier reports described an association of {other} with {otherOutcome} in {otherCondition}.',
  'It is unknown how {agent} contributes to disease in {population}.',
]

/** States the finding of another study in the words that a question about it would use. */
export const citedFindings: readonly string[] = [
  'Previous work suggested that {agent} {acts} {outcome} in {condition}.',
  'By contrast, {agent} was reported to affect {outcome} of patients with {condition}.',
  'The established link of {agent} with {outcome} in {condition} motivated this work.',
]

export const methods: readonly string[] = [
  'We conducted {design} of {count} {population}.',
  '{count} {population} were assigned to {agent} at {dose} {unit} or to placebo for {weeks} weeks.',
  'In {design}, {count} {population} with {condition} were followed for {weeks} weeks.',
  'Samples were analysed by flow cytometry, qRT-PCR and western blot.',
  'Data were analysed with mixed-effects models adjusted for age and sex.',
  'Levels were measured at baseline and after {weeks} weeks.',
]

export const results: readonly string[] = [
  '{agent} {acted} {outcome} by {percent}% (95% CI {low}-{high}; P < 0.0{digit}).',
  'Treatment with {agent} was associated with {change} {outcome} (hazard ratio 0.{low}, P = 0.0{digit}).',
  'We found {change} {outcome} when {agent} was present at {dose} {unit}.',
  'Compared with controls, {outcome} was {changed} in the {agent} group.',
]

export const furtherResults: readonly string[] = [
  'This effect required {pathway}.',
  'Mechanistically, {agent} acted through {pathway}, independently of {other}.',
  'There was no difference in {otherOutcome} between groups.',
  'Neither {other} nor {another} changed significantly.',
  'Inhibition of {pathway} abolished the response.',
  'Adverse events were mild, and {otherOutcome} did not differ.',
]

export const conclusions: readonly string[] = [
  'These data identify {agent} as a potential target in {condition}.',
  'Our findings support the use of {agent} in {population} with {condition}.',
  'In conclusion, {agent} {acts} {outcome} and may be of therapeutic benefit.',
  'Further trials are warranted in {condition}.',
  'The results argue for reconsidering {agent} in the management of {condition}.',
]

export const designs: readonly string[] = [
  'a randomized controlled trial',
  'a prospective cohort study',
  'a double-blind crossover trial',
  'a genome-wide association study',
  'a retrospective case-control study',
  'a meta-analysis',
  'an open-label pilot study',
  'a single-cell sequencing study',
]

/** Verbs by the direction of a finding. */
export const directions = {
  up: {
    acts: ['increases', 'enhances', 'promotes', 'elevates', 'raises'],
    acted: ['increased', 'enhanced', 'promoted', 'raised'],
    change: ['increased', 'higher', 'greater', 'elevated'],
    asked: ['increase', 'promote', 'raise', 'worsen'],
  },
  down: {
    acts: ['reduces', 'attenuates', 'decreases', 'inhibits', 'lowers', 'suppresses'],
    acted: ['reduced', 'attenuated', 'decreased', 'lowered', 'suppressed'],
    change: ['reduced', 'lower', 'decreased', 'diminished'],
    asked: ['reduce', 'prevent', 'lower', 'protect against'],
  },
} as const

export const claims: readonly string[] = [
  '{agent} {acts} {outcome} in {condition}.',
  '{agent} is associated with {change} {outcome} in patients with {condition}.',
  'In {condition}, {outcome} is {change} by {agent}.',
  '{population} with {condition} have {change} {outcome} when given {agent}.',
]

export const queries: readonly string[] = [
  'Does {agent} {asked} {outcome} in {condition}?',
  'What is known about the effect of {agent} on {outcome} in people who have {condition}?',
  'Is there any evidence that {outcome} in {condition} can be changed by {agent}?',
  'How are {agent} and {condition} related to each other, and what does it do to {outcome}?',
]
