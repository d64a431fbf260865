// A server whose responses a test sets: same paths, token and Content-Security-Policy as the real one.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";

const DIST = new URL("../dist/", import.meta.url);
export const TOKEN = "0123456789abcdef0123456789abcdef";
const FILES = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/assets/biela.js": ["assets/biela.js", "text/javascript; charset=utf-8"],
  "/assets/biela.css": ["assets/biela.css", "text/css; charset=utf-8"],
  "/favicon.svg": ["favicon.svg", "image/svg+xml"],
};

/**
 * `show` has `session()`, `frames(run, from, count, every)` (a Buffer), `signals(run, names, from, to, points)` (lists of
 * [time, minimum, maximum]) and, if a test needs them, `sceneOf(run)`, `modes()` and `run(parameters)`.
 */
export async function open(show) {
  const sockets = new Set();
  const server = createServer((request, response) => {
    answer(show, request, response).catch((error) => {
      response.statusCode = 500;
      response.end(String(error));
    });
  });
  server.on("upgrade", (request, socket) => {
    const key = request.headers["sec-websocket-key"];
    const proof = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${proof}\r\n\r\n`);
    sockets.add(socket);
    for (const end of ["close", "error"]) socket.on(end, () => sockets.delete(socket));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    address: `http://127.0.0.1:${server.address().port}/?token=${TOKEN}`,
    /** Closes the WebSocket connections. */
    drop() {
      for (const socket of sockets) socket.destroy();
    },
    /** Sends a message to every open page. */
    tell(message) {
      const body = Buffer.from(JSON.stringify(message));
      const head = Buffer.alloc(body.length < 126 ? 2 : body.length < 65536 ? 4 : 10);
      head[0] = 0x81;
      head[1] = body.length < 126 ? body.length : body.length < 65536 ? 126 : 127;
      if (head[1] === 126) head.writeUInt16BE(body.length, 2);
      if (head[1] === 127) head.writeBigUInt64BE(BigInt(body.length), 2);
      for (const socket of sockets) socket.write(Buffer.concat([head, body]));
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
}

async function answer(show, request, response) {
  const url = new URL(request.url, "http://127.0.0.1");
  response.setHeader("Content-Security-Policy", "default-src 'self'; connect-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'");
  response.setHeader("X-Content-Type-Options", "nosniff");
  const file = FILES[url.pathname];
  if (file) {
    response.setHeader("Content-Type", file[1]);
    response.end(await readFile(new URL(file[0], DIST)));
    return;
  }
  if (request.headers.authorization !== `Bearer ${TOKEN}`) {
    response.statusCode = 401;
    response.end("the token is missing or wrong");
    return;
  }
  const number = (name, otherwise) => Number(url.searchParams.get(name) ?? otherwise);
  const run = /^\/api\/runs\/(\d+)\/(frames|signals|scene)$/.exec(url.pathname);
  if (url.pathname === "/api/session") response.end(JSON.stringify(show.session()));
  else if (run?.[2] === "scene") response.end(JSON.stringify(show.sceneOf?.(Number(run[1])) ?? show.session().scene));
  else if (run?.[2] === "frames") response.end(show.frames(Number(run[1]), number("from", 0), number("count", 1), number("every", 1)));
  else if (run?.[2] === "signals") {
    const names = url.searchParams.get("names").split(",");
    response.end(pack(show.signals(Number(run[1]), names, number("from", 0), number("to", 0), number("points", 1000))));
  } else if (url.pathname === "/api/modes" && show.modes) response.end(JSON.stringify(show.modes()));
  else if (url.pathname === "/api/run" && show.run) {
    let body = "";
    for await (const part of request) body += part;
    response.end(JSON.stringify({ id: show.run(JSON.parse(body).parameters) }));
  } else if (url.pathname === "/api/desk/elements") response.end(JSON.stringify({ version: "0", undo: 0, redo: 0, elements: [] }));
  else if (url.pathname === "/api/desk/language") response.end(JSON.stringify({ tables: [] }));
  else {
    response.statusCode = 404;
    response.end("not found");
  }
}

function pack(lists) {
  const bytes = Buffer.alloc(lists.reduce((sum, rows) => sum + 4 + 24 * rows.length, 0));
  let at = 0;
  for (const rows of lists) {
    at = bytes.writeUInt32LE(rows.length, at);
    for (const row of rows) for (const value of row) at = bytes.writeDoubleLE(value, at);
  }
  return bytes;
}

/** Frames as the server writes them: f64 time and f32 values, little-endian. */
export function record(size, from, count, every, last, fill) {
  const frames = [];
  for (let k = from; k <= last && frames.length < count; k += every) frames.push(k);
  const bytes = Buffer.alloc(frames.length * (8 + 4 * size));
  const numbers = new Float32Array(size);
  frames.forEach((frame, row) => {
    const time = fill(frame, numbers);
    const at = row * (8 + 4 * size);
    bytes.writeDoubleLE(time, at);
    Buffer.from(numbers.buffer).copy(bytes, at + 8);
  });
  return bytes;
}
