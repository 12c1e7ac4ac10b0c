/**
 * Mock-ups of screens: a phone, a browser, a dashboard or a map, with words that belong to the product and are no statements of the deck.
 */
import type { Sized } from '../block-layout.ts';
import type { Box, Pen } from '../pen.ts';

type MockUp = Sized<'mock_up'>;

function drawPhone(pen: Pen, block: MockUp, box: Box): void {
  const width = Math.min(box.width, box.height * 0.52);
  const x = box.x + (box.width - width) / 2;
  pen.fill({ x, y: box.y, width, height: box.height }, pen.theme.ink, 20);
  const screen = { x: x + 8, y: box.y + 16, width: width - 16, height: box.height - 32 };
  pen.fill(screen, '#ffffff', 6);
  pen.oneLine(block.title, screen.x + 10, screen.y + 10, screen.width - 20, { size: 13, bold: true, color: '#222222' });
  const step = Math.min(44, (screen.height - 90) / block.rows.length);
  block.rows.forEach(({ text, detail }, index) => {
    const y = screen.y + 36 + index * step;
    pen.fill({ x: screen.x + 8, y, width: screen.width - 16, height: step - 6 }, '#f0f0f2', 4);
    pen.oneLine(text, screen.x + 14, y + 4, screen.width - 28, { size: 11, color: '#222222' });
    pen.oneLine(detail, screen.x + 14, y + 19, screen.width - 28, { size: 9, color: '#777777' });
  });
  const foot = screen.y + screen.height;
  const button = { x: screen.x + 20, y: foot - 46, width: screen.width - 40, height: 22 };
  pen.fill(button, pen.theme.accent, 8);
  pen.oneLine(block.button, button.x + 6, button.y + 5, button.width - 12, {
    size: 10.5,
    bold: true,
    color: '#ffffff',
    align: 'center',
  });
  const slot = screen.width / block.menu.length;
  block.menu.forEach((entry, index) => {
    pen.oneLine(entry, screen.x + index * slot + 3, foot - 14, slot - 6, {
      size: 8,
      color: '#777777',
      align: 'center',
    });
  });
}

/** A window with a menu at the left; returns the part for its content. */
function windowOf(pen: Pen, block: MockUp, box: Box): Box {
  pen.fill(box, '#d5d8dc', 8);
  for (let index = 0; index < 3; index += 1) pen.disc(box.x + 14 + index * 14, box.y + 12, 4, pen.theme.muted);
  pen.fill({ x: box.x + 2, y: box.y + 24, width: box.width - 4, height: box.height - 26 }, '#ffffff', 4);
  const side = Math.min(110, box.width * 0.28);
  pen.fill({ x: box.x + 2, y: box.y + 24, width: side, height: box.height - 26 }, '#eef0f3');
  pen.oneLine(block.title, box.x + 64, box.y + 5, box.width - 80, { size: 11, color: '#444444' });
  block.menu.forEach((entry, index) => {
    pen.oneLine(entry, box.x + 12, box.y + 40 + index * 24, side - 18, { size: 10.5, color: '#444444' });
  });
  return { x: box.x + side + 16, y: box.y + 38, width: box.width - side - 30, height: box.height - 52 };
}

function drawBrowser(pen: Pen, block: MockUp, box: Box): void {
  const inner = windowOf(pen, block, box);
  const step = Math.min(34, (inner.height - 40) / block.rows.length);
  block.rows.forEach(({ text, detail }, index) => {
    const y = inner.y + index * step;
    pen.oneLine(text, inner.x, y, inner.width * 0.58, { size: 11, color: '#222222' });
    pen.oneLine(detail, inner.x + inner.width * 0.6, y, inner.width * 0.4, { size: 11, color: '#777777' });
    pen.line(inner.x, y + step - 6, inner.x + inner.width, y + step - 6, '#dddddd', 0.6);
  });
  const button = { x: inner.x, y: inner.y + inner.height - 26, width: Math.min(140, inner.width), height: 24 };
  pen.fill(button, pen.theme.accent, 4);
  pen.oneLine(block.button, button.x + 6, button.y + 6, button.width - 12, {
    size: 10.5,
    bold: true,
    color: '#ffffff',
    align: 'center',
  });
}

function drawDashboard(pen: Pen, block: MockUp, box: Box): void {
  const inner = windowOf(pen, block, box);
  const width = (inner.width - 10) / 2;
  const rows = Math.ceil(block.rows.length / 2);
  const height = Math.min(70, (inner.height - 70) / rows);
  block.rows.forEach(({ text, detail }, index) => {
    const x = inner.x + (index % 2) * (width + 10);
    const y = inner.y + Math.floor(index / 2) * height;
    pen.fill({ x, y, width, height: height - 8 }, '#f4f5f7', 4);
    pen.oneLine(detail, x + 8, y + 6, width - 16, { size: 17, bold: true, color: pen.theme.accent });
    pen.oneLine(text, x + 8, y + height - 26, width - 16, { size: 9.5, color: '#555555' });
  });
  const foot = inner.y + inner.height;
  for (let index = 0; index < 8; index += 1) {
    const tall = 12 + ((index * 37) % 34);
    pen.fill(
      { x: inner.x + (index * inner.width) / 8, y: foot - tall, width: inner.width / 12, height: tall },
      pen.theme.second,
    );
  }
  pen.oneLine(block.button, inner.x, foot - 62, inner.width, { size: 9.5, color: '#777777', align: 'right' });
}

function drawMap(pen: Pen, block: MockUp, box: Box): void {
  pen.fill(box, '#e6efe2', 8);
  for (let index = 1; index < 4; index += 1) {
    const y = box.y + (box.height * index) / 4;
    pen.line(box.x, y, box.x + box.width, y + (index % 2 === 0 ? 30 : -30), '#ffffff', 7);
    const x = box.x + (box.width * index) / 4;
    pen.line(x, box.y, x + (index % 2 === 0 ? 40 : -20), box.y + box.height, '#ffffff', 5);
  }
  pen.fill({ x: box.x + 12, y: box.y + 10, width: box.width - 24, height: 26 }, '#ffffff', 6);
  pen.oneLine(block.title, box.x + 22, box.y + 16, box.width - 44, { size: 11, color: '#777777' });
  const step = (box.height - 84) / block.rows.length;
  block.rows.forEach(({ text, detail }, index) => {
    const x = box.x + 24 + ((index * 2 + 1) % 3) * box.width * 0.2;
    const y = box.y + 48 + index * step;
    pen.disc(x, y + 10, 7, pen.theme.accent);
    pen.oneLine(text, x + 12, y, box.width * 0.42, { size: 10.5, bold: true, color: '#222222' });
    pen.oneLine(detail, x + 12, y + 14, box.width * 0.42, { size: 9, color: '#555555' });
  });
  const foot = box.y + box.height - 20;
  const button = { x: box.x + box.width - 114, y: foot - 6, width: 100, height: 20 };
  pen.fill(button, pen.theme.accent, 8);
  const label = { size: 9.5, bold: true, color: '#ffffff', align: 'center' as const };
  pen.oneLine(block.button, button.x + 4, foot - 2, button.width - 8, label);
  pen.oneLine(block.menu.join(' · '), box.x + 14, foot, box.width - 140, { size: 9, color: '#555555' });
}

/** The words by which a mock-up is known among the entries of a slide. */
export const MOCK_UP_ENTRY = 'mock-up';

/** Draws a mock-up into a box. */
export function drawMockUp(pen: Pen, block: MockUp, box: Box): void {
  pen.entry(MOCK_UP_ENTRY, box);
  switch (block.device) {
    case 'phone':
      drawPhone(pen, block, box);
      return;
    case 'browser':
      drawBrowser(pen, block, box);
      return;
    case 'dashboard':
      drawDashboard(pen, block, box);
      return;
    case 'map':
      drawMap(pen, block, box);
  }
}
