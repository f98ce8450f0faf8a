export type { GossipOptions } from './gossip/gossip.ts'
export { createGossip, type Gossip } from './gossip/gossip.ts'
export type { Policy, PolicyStatus, RateLimiter, SharedRateLimiter } from './rate-limiter.ts'
export { windowSeconds } from './window.ts'
