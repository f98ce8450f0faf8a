export { type Recommendation, recommend } from './underused-weekday.ts'
