const asking = 'how (?:many|much|long)|which|what|who|when|wie ?(?:viele?|lange)|welche[nmrs]?|was|wer|wann'
/** Two questions in one. */
export const twoQuestions = new RegExp(String.raw`^(.*\S),? (?:and|und) ((?:${asking}) .*)$`, 'i')
/** The two sides of a comparison. */
export const comparisons = [
  /^(.*\S),? (?:compared (?:to|with)|versus|vs\.?|im vergleich zu[mr]?|verglichen mit) (.*)$/i,
  /^\W*(?:compare|vergleiche?) (.*\S) (?:and|with|to|und|mit) (.*)$/i,
]
const change =
  '(?:grow|grown|increase[d]?|rise|risen|gone up|decrease[d]?|fall|fallen|drop(?:ped)?|gone down|change[d]?)'
const germanChange = '(?:gestiegen|gewachsen|gesunken|gefallen|zugenommen|abgenommen|zurückgegangen|verändert)'
/** Growth from one period to another, as subject, start and end. */
export const changes = [
  new RegExp(
    `^(?:by )?how (?:many percent|much)(?: percent)? (?:did|do|does|has|have) (.*\\S) ${change} (?:from|between) (.*\\S) (?:to|and) (.*)$`,
    'i',
  ),
  /^(?:what (?:is|was) the )?(?:growth|increase|change|decrease)(?: rate)? (?:of|in) (.*\S) (?:from|between) (.*\S) (?:to|and) (.*)$/i,
  new RegExp(
    `^(?:um )?wie (?:viel|stark)(?: prozent)? (?:ist|sind|hat|haben) (.*\\S) (?:von|vom|zwischen) (.*\\S) (?:auf|zu[mr]?|bis|und) (.*\\S) ${germanChange}\\W*$`,
    'i',
  ),
]
