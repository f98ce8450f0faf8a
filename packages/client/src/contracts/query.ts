export { serializeQuery } from '@wp/contracts/query'
