import { expect } from 'chai';
import { addDays, dateIn, datesBetween, startOf } from '../../application/reports/storeDays.js';

describe('days of a store', () => {
  it('begin at midnight of the time zone', () => {
    expect(new Date(startOf('Africa/Mogadishu', '2026-03-02')).toISOString()).to.equal('2026-03-01T21:00:00.000Z');
    expect(new Date(startOf('Asia/Kathmandu', '2026-03-02')).toISOString()).to.equal('2026-03-01T18:15:00.000Z');
    expect(new Date(startOf('UTC', '2026-03-02')).toISOString()).to.equal('2026-03-02T00:00:00.000Z');
  });

  it('begin at one if clocks skip midnight', () => {
    // In Egypt the clocks went from 0:00 to 1:00 on this day.
    expect(new Date(startOf('Africa/Cairo', '2026-04-24')).toISOString()).to.equal('2026-04-23T22:00:00.000Z');
    expect(dateIn('Africa/Cairo', Date.parse('2026-04-23T21:59:59.999Z'))).to.equal('2026-04-23');
  });

  it('follow each other without gaps in every time zone', () => {
    for (const timeZone of Intl.supportedValuesOf('timeZone'))
      for (const date of ['2026-03-29', '2026-10-25', '2026-11-01']) {
        const start = startOf(timeZone, date);
        expect(dateIn(timeZone, start), timeZone).to.equal(date);
        expect(dateIn(timeZone, start - 1), timeZone).to.equal(addDays(date, -1));
      }
  });

  it('are listed with the first and the last', () => {
    expect(datesBetween('2026-02-27', '2026-03-01')).to.deep.equal(['2026-02-27', '2026-02-28', '2026-03-01']);
    expect(datesBetween('2026-03-02', '2026-03-01')).to.deep.equal([]);
  });
});
