export { type Recommendation, type RecommendInput, recommend } from './underused-weekday.ts'
