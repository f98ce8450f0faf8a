// A reference proxy: @fastify/http-proxy as in its documentation, without authorization.
import httpProxy from '@fastify/http-proxy'
import fastify from 'fastify'

const server = fastify({ keepAliveTimeout: 65_000 })
await server.register(httpProxy, { upstream: process.env.TARGET ?? '', http2: false })
await server.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
