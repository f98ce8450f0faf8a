// A reference proxy without authorization: @fastify/http-proxy as in its documentation, or http-proxy-middleware under
// Express without anything else.
import { createServer } from 'node:http'
import httpProxy from '@fastify/http-proxy'
import express from 'express'
import fastify from 'fastify'
import { createProxyMiddleware } from 'http-proxy-middleware'

const { LIBRARY, PORT, TARGET = '' } = process.env
const listenAt = { port: Number(PORT), host: '127.0.0.1' }
const keepAliveTimeout = 65_000

if (LIBRARY === 'fastify') {
  const server = fastify({ keepAliveTimeout })
  await server.register(httpProxy, { upstream: TARGET, http2: false })
  await server.listen(listenAt)
} else {
  const app = express().disable('x-powered-by')
  app.use(createProxyMiddleware({ target: TARGET }))
  createServer({ keepAliveTimeout }, app).listen(listenAt)
}
