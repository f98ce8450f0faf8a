/** Estimated number of characters of a token. */
const charactersPerToken = 4

/** Estimates the number of tokens of a text by its length in characters, for use that a provider does not report. */
export const estimateTokens = (length: number): number => Math.ceil(length / charactersPerToken)
